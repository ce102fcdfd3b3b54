/* A loop over long texts, bytes or digits that the compiler is to turn into vectors.

   Without a profile it does so by itself. Most texts of the training are short, though, and from its
   counts clang takes a loop for one of few rounds, or for cold code, and leaves it scalar: up to
   sixteen times as slow for a text of a thousand characters. In a build with sanitizers loops with
   this mark may stay scalar, which clang would report. */
#ifndef SB_INTERNAL_WIDE_LOOP_H
#define SB_INTERNAL_WIDE_LOOP_H

#ifdef __clang__
#  pragma clang diagnostic ignored "-Wpass-failed"
#  define _Py_WIDE_LOOP _Pragma("clang loop vectorize(enable)")
#else
#  define _Py_WIDE_LOOP
#endif

#endif
