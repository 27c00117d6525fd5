"""Real images as tensors, without a library."""
import array
import pathlib
import struct
import zlib


def read_png(path):
    """(width, height, bytes) of an 8-bit RGB file: all that the test's image needs."""
    data = pathlib.Path(path).read_bytes()
    offset, packed, width, height = 8, b"", 0, 0
    while offset < len(data):
        size, kind = struct.unpack_from(">I4s", data, offset)
        chunk = data[offset + 8:offset + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack_from(">IIBB", chunk)
            assert (depth, colour) == (8, 2), "not 8-bit RGB"
        elif kind == b"IDAT":
            packed += chunk
        offset += size + 12
    return width, height, unfiltered(zlib.decompress(packed), width * 3, height)


def unfiltered(raw, stride, height):
    pixels = bytearray()
    above = bytes(stride)
    for y in range(height):
        start = y * (stride + 1)
        row = bytearray(raw[start + 1:start + 1 + stride])
        for x in range(stride):
            left = row[x - 3] if x >= 3 else 0
            corner = above[x - 3] if x >= 3 else 0
            row[x] = (row[x] + predicted(raw[start], left, above[x], corner)) & 255
        pixels += row
        above = row
    return bytes(pixels)


def predicted(kind, left, up, corner):
    if kind == 4:  # Paeth
        nearest = left + up - corner
        return min((left, up, corner), key=lambda value: abs(nearest - value))
    return (0, left, up, (left + up) // 2)[kind]


def tensor_of(path, height, width, turned=False):
    """The image as [1,3,height,width] in -1..1, planes one after another, turned if asked."""
    from_width, from_height, pixels = read_png(path)
    values = array.array("f")
    for plane in range(3):
        for y in range(height):
            for x in range(width):
                to_y, to_x = (height - 1 - y, width - 1 - x) if turned else (y, x)
                row, column = to_y * from_height // height, to_x * from_width // width
                at = (row * from_width + column) * 3 + plane
                values.append(pixels[at] / 127.5 - 1)
    return values
