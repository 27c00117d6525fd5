// Large tables, of which single entries are looked at in no order.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

namespace sluice {

// Asks for huge pages where the memory is worth one or more: with pages of 4 KiB each look at a
// table of hundreds of megabytes first waits for the page tables, which are as far away as the
// entry itself (more so in a virtual machine). Whether they are given is the system's choice
// (/sys/kernel/mm/transparent_hugepage/enabled: `madvise` or `always`); nothing else depends on it.
// A page that is touched then costs 2 MiB.
template <class T>
struct HugePages {
  using value_type = T;

  HugePages() = default;
  template <class Other>
  HugePages(const HugePages<Other>&) {}  // NOLINT(google-explicit-constructor): allocators convert

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* const memory = ::operator new(bytes, alignment(count));
    if (bytes >= kPage) ::madvise(memory, bytes, MADV_HUGEPAGE);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) { ::operator delete(memory, alignment(count)); }

  bool operator==(const HugePages&) const = default;

 private:
  static constexpr std::size_t kPage = std::size_t{2} << 20;
  static std::align_val_t alignment(std::size_t count) {
    return std::align_val_t{count * sizeof(T) >= kPage ? kPage : alignof(T)};
  }
};

template <class T>
using Table = std::vector<T, HugePages<T>>;

}  // namespace sluice
