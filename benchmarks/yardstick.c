/* A measure of the machine: how many times a second one thread shuffles 54 bytes (Fisher-Yates, SplitMix64).
   cc -O3 -march=native yardstick.c -o yardstick && ./yardstick */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { CARDS = 54, BATCH = 10000 };
static const double SECONDS = 2.0;
static uint64_t stream = 1;

static uint32_t roll(uint32_t bound) {
    uint64_t mixed = (stream += UINT64_C(0x9E3779B97F4A7C15));
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94D049BB133111EB);
    mixed ^= mixed >> 31;
    return (uint32_t)(((mixed >> 32) * bound) >> 32);
}

static void shuffle(int8_t *deck) {
    for (uint32_t last = CARDS - 1; last > 0; last--) {
        uint32_t chosen = roll(last + 1);
        int8_t card = deck[last];
        deck[last] = deck[chosen];
        deck[chosen] = card;
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(void) {
    int8_t deck[CARDS];
    volatile int8_t seen = 0;
    long shuffles = 0;
    for (int8_t card = 0; card < CARDS; card++) deck[card] = card;
    const double start = now();
    double passed = 0;
    while (passed < SECONDS) {
        for (int i = 0; i < BATCH; i++) {
            shuffle(deck);
            seen ^= deck[0];
        }
        shuffles += BATCH;
        passed = now() - start;
    }
    printf("{\"shuffles_per_s\": %.0f}\n", (double)shuffles / passed);
    return 0;
}
