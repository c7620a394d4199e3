/* Writes data/blake2/blake2b-carries.rsp or blake2s-carries.rsp: digests from injected chaining values and byte counts near
   every carry, by libb2 (the BLAKE2 authors' C implementation), whose state is public.

   cc -O2 blake2_carries.c -lb2 -o blake2_carries
   ./blake2_carries b > ../data/blake2/blake2b-carries.rsp
   ./blake2_carries s > ../data/blake2/blake2s-carries.rsp */
#include <blake2.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef unsigned __int128 u128;

static uint64_t seed;

/* splitmix64 */
static uint64_t next(void)
{
    uint64_t z = seed += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static void decimal(u128 value)
{
    if (value >= 10)
        decimal(value / 10);
    putchar('0' + (int)(value % 10));
}

static void hex(const char *name, const uint8_t *bytes, size_t length)
{
    printf("%s = ", name);
    for (size_t i = 0; i < length; i++)
        printf("%02x", bytes[i]);
    printf("\n");
}

static void one(char variant, u128 count, size_t length)
{
    uint8_t message[1024], digest[64];
    uint64_t words[8];

    for (int i = 0; i < 8; i++)
        words[i] = next();
    for (size_t i = 0; i < length; i++)
        message[i] = (uint8_t)next();
    printf("\nState = ");
    if (variant == 'b') {
        blake2b_state state;
        blake2b_init(&state, 64);
        for (int i = 0; i < 8; i++) {
            state.h[i] = words[i];
            printf("%016" PRIx64, words[i]);
        }
        state.t[0] = (uint64_t)count;
        state.t[1] = (uint64_t)(count >> 64);
        blake2b_update(&state, message, length);
        blake2b_final(&state, digest, 64);
    } else {
        blake2s_state state;
        blake2s_init(&state, 32);
        for (int i = 0; i < 8; i++) {
            state.h[i] = (uint32_t)words[i];
            printf("%08" PRIx32, (uint32_t)words[i]);
        }
        state.t[0] = (uint32_t)count;
        state.t[1] = (uint32_t)(count >> 32);
        blake2s_update(&state, message, length);
        blake2s_final(&state, digest, 32);
    }
    printf("\nCount = ");
    decimal(count);
    printf("\n");
    hex("Msg", message, length);
    hex("MD", digest, variant == 'b' ? 64 : 32);
}

int main(int argc, char **argv)
{
    if (argc != 2 || (strcmp(argv[1], "b") && strcmp(argv[1], "s"))) {
        fprintf(stderr, "usage: blake2_carries b|s\n");
        return 2;
    }
    char variant = argv[1][0];
    size_t block = variant == 'b' ? 128 : 64;
    int bits = variant == 'b' ? 128 : 64;
    static const size_t lengths[] = { 0, 1, 2, 3, 4, 5, 6 };

    printf("# BLAKE2%c from injected chaining values and byte counts near carries, generated with libb2.\n", variant);
    printf("# State: 8 words, each most significant digit first. Count: bytes hashed before Msg. Seed: %c.\n", variant);
    seed = (uint64_t)variant;
    for (int power = 16; power <= bits; power += 4)
        for (int before = 1; before <= 3; before++)
            for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
                static const int of_blocks[] = { 0, 0, 1, 1, 1, 2, 3 }, and[] = { 0, 1, -1, 0, 1, 0, 7 };
                size_t length = (size_t)((long)block * of_blocks[i] + and[i]);
                u128 carry = power == 128 ? 0 : (u128)1 << power;
                u128 count = carry - (u128)(before * block);
                /* The message must stay within what the counter can count. */
                u128 limit = bits == 128 ? ~(u128)0 : ((u128)1 << 64) - 1;
                if (count > limit || length > limit - count)
                    continue;
                one(variant, count, length);
            }
    return 0;
}
