"""Requests whose end or whose headers two parties could read differently."""
from hostile.case import PATH, post


def lengths(*values):
    return post(*(f"Content-Length: {value}" for value in values), body=b"12345")


def coding(*values, body=b"0\r\n\r\n"):
    return post(*(f"Transfer-Encoding: {value}" for value in values), body=body)


def chunks(body):
    return coding("chunked", body=body)


# Refused: what is sent → the status.
MALFORMED = {
    # Lengths.
    "length and chunked": (post("Content-Length: 5", "Transfer-Encoding: chunked",
                                body=b"0\r\n\r\n"), 400),
    "chunked and length": (post("Transfer-Encoding: chunked", "Content-Length: 5",
                                body=b"0\r\n\r\n"), 400),
    "two lengths that differ": (lengths("5", "6"), 400),
    "two lengths that agree": (lengths("5", "5"), 400),
    "a list of lengths": (lengths("5, 5"), 400),
    "a negative length": (lengths("-5"), 400),
    "a signed length": (lengths("+5"), 400),
    "a length in hexadecimal": (lengths("0x5"), 400),
    "a length with a fraction": (lengths("5.0"), 400),
    "an empty length": (lengths(""), 400),
    "a length with a space within": (lengths("5 5"), 400),
    "a length in words": (lengths("five"), 400),
    "a length beyond 64 bits": (lengths("18446744073709551621"), 400),
    "a length of a thousand digits": (lengths("0" * 999 + "5"), 400),
    # Transfer codings.
    "chunked twice": (coding("chunked", "chunked"), 400),
    "chunked twice in one line": (coding("chunked, chunked"), 400),
    "chunked not last": (coding("chunked, gzip"), 400),
    "a coding nobody knows": (coding("gzip, chunked"), 501),
    "a coding that is not chunked": (coding("identity"), 501),
    "chunked in quotes": (coding('"chunked"'), 400),
    "chunked and a vertical tab": (coding("\x0bchunked"), 400),
    "an empty coding": (coding(""), 400),
    "chunked in HTTP/1.0": (post("Transfer-Encoding: chunked", body=b"0\r\n\r\n",
                                 version="HTTP/1.0"), 400),
    # Chunks.
    "a chunk size in no digits": (chunks(b"five\r\n"), 400),
    "a chunk size with a sign": (chunks(b"+5\r\n12345\r\n0\r\n\r\n"), 400),
    "a negative chunk size": (chunks(b"-5\r\n12345\r\n0\r\n\r\n"), 400),
    "a chunk size with 0x": (chunks(b"0x5\r\n12345\r\n0\r\n\r\n"), 400),
    "a chunk size beyond 64 bits": (chunks(b"10000000000000005\r\n12345\r\n0\r\n\r\n"), 400),
    "an empty chunk size": (chunks(b"\r\n12345\r\n0\r\n\r\n"), 400),
    "a space before a chunk size": (chunks(b" 5\r\n12345\r\n0\r\n\r\n"), 400),
    "a chunk longer than it says": (chunks(b"5\r\n123456\r\n0\r\n\r\n"), 400),
    "a chunk shorter than it says": (chunks(b"7\r\n12345\r\n0\r\n\r\n"), 400),
    "a chunk line with a bare LF": (chunks(b"5\n12345\n0\n\n"), 400),
    "a chunk that ends in a bare LF": (chunks(b"5\r\n12345\n0\r\n\r\n"), 400),
    "a chunk extension with a bare LF": (chunks(b"5;a\nb\r\n12345\r\n0\r\n\r\n"), 400),
    "an endless chunk extension": (chunks(b"5;" + b"a" * 9000), 400),
    "an endless trailer": (chunks(b"0\r\n" + b"a: b\r\n" * 3000), 431),
    "a trailer without a name": (chunks(b"0\r\n: b\r\n\r\n"), 400),
    # Heads.
    "a bare LF after the request line": (post().replace(b"\r\n", b"\n", 1), 400),
    "bare LF everywhere": (post().replace(b"\r\n", b"\n"), 400),
    "a bare CR in a value": (post("x-a: b\rc"), 400),
    "NUL in a value": (post("x-a: b\0c"), 400),
    "NUL in a name": (post("x-\0a: b"), 400),
    "NUL in the target": (post(target=PATH + "\0"), 400),
    "a control character in a value": (post("x-a: \x01"), 400),
    "DEL in a value": (post("x-a: \x7f"), 400),
    "a folded header": (post("x-a: b", " c: d"), 400),
    "a fold with a tab": (post("x-a: b", "\tContent-Length: 5"), 400),
    "a first header that is folded": (post().replace(b"Host", b" Host"), 400),
    "a space before the colon": (post("Content-Length : 5", body=b"12345"), 400),
    "a tab before the colon": (post("Transfer-Encoding\t: chunked", body=b"0\r\n\r\n"), 400),
    "a header without a colon": (post("x-a"), 400),
    "a header without a name": (post(": b"), 400),
    "a name in brackets": (post("x(a): b"), 400),
    "a name that is not ASCII": (post("x-\xe9: b"), 400),
    "no host": (f"POST {PATH} HTTP/1.1\r\n\r\n".encode(), 400),
    "two hosts": (post("Host: other"), 400),
    "a host with a path": (post().replace(b"Host: sluice", b"Host: sluice/x"), 400),
    "a port beyond 65535": (post().replace(b"Host: sluice", b"Host: sluice:65536"), 400),
    # Request lines.
    "no version": (f"POST {PATH}\r\nHost: a\r\n\r\n".encode(), 400),
    "HTTP/0.9": (b"GET /\r\n\r\n", 400),
    "two spaces": (post().replace(b"POST ", b"POST  "), 400),
    "a tab for a space": (post().replace(b"POST ", b"POST\t"), 400),
    "a space in the target": (post(target=PATH + " x"), 400),
    "a fragment": (post(target=PATH + "#x"), 400),
    "half a percent sign": (post(target=PATH + "?%4"), 400),
    "a target that is a word": (post(target="here"), 400),
    "a method of brackets": (post().replace(b"POST", b"P(ST"), 400),
    "HTTP/2.0 said in HTTP/1": (post(version="HTTP/2.0"), 505),
    "HTTP/1.2": (post(version="HTTP/1.2"), 505),
    "HTTP in small letters": (post(version="http/1.1"), 400),
    "a version with three digits": (post(version="HTTP/1.11"), 400),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n", 400),
    "noise": (bytes(range(256)) + b"\r\n\r\n", 400),
    "a shell's banner": (b"SSH-2.0-OpenSSH_9.2\r\n", 400),
}

# Taken, with the body "ok".
UNUSUAL = {
    "a lower-case name": post("content-length: 2", body=b"ok"),
    "no space after the colon": post("Content-Length:2", body=b"ok"),
    "tabs around a value": post("Content-Length:\t2\t", body=b"ok"),
    "an empty value": post("x-a:", "Content-Length: 2", body=b"ok"),
    "leading zeros": post("Content-Length: 0002", body=b"ok"),
    "capitals in a coding": post("Transfer-Encoding: Chunked",
                                 body=b"1\r\no\r\n1\r\nk\r\n0\r\n\r\n"),
    "a chunk extension": post("Transfer-Encoding: chunked",
                              body=b'2;a="b"\r\nok\r\n0\r\n\r\n'),
    "trailers": post("Transfer-Encoding: chunked",
                     body=b"2\r\nok\r\n0\r\nContent-Length: 9\r\nx: y\r\n\r\n"),
    "bytes above ASCII": post("x-a: \xe9\xff", "Content-Length: 2", body=b"ok"),
}
