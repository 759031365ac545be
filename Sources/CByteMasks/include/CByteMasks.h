#ifndef SUBREPORT_BYTE_MASKS_H
#define SUBREPORT_BYTE_MASKS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// What Swift cannot say: a comparison of many bytes at once, as one bit a byte. Clang makes four
// comparisons and four moves of 64 bytes on x86-64; the same in Swift's SIMD types took ten times as many
// instructions.

typedef uint8_t subreport_bytes64 __attribute__((vector_size(64), aligned(1)));
typedef bool subreport_mask64 __attribute__((ext_vector_type(64)));

static inline uint64_t subreport_mask(subreport_mask64 mask) {
  uint64_t bits;
  memcpy(&bits, &mask, sizeof bits);
  return bits;
}

/// Returns which of 64 bytes equal a byte; the first byte is the lowest bit.
static inline uint64_t subreport_equal_bytes(const void *_Nonnull bytes, uint8_t byte) {
  subreport_bytes64 block;
  memcpy(&block, bytes, sizeof block);
  return subreport_mask(__builtin_convertvector(block == byte, subreport_mask64));
}

/// Returns which of 64 bytes are 128 or more; the first byte is the lowest bit.
static inline uint64_t subreport_high_bytes(const void *_Nonnull bytes) {
  subreport_bytes64 block;
  memcpy(&block, bytes, sizeof block);
  return subreport_mask(__builtin_convertvector(block >= (uint8_t)0x80, subreport_mask64));
}

#endif
