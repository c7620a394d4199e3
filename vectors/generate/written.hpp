/* What the generators in C++ share: bytes by splitmix64 from a seed of each generator's own, and lines of a file of vectors. */
#include <cstdint>
#include <cstdio>
#include <vector>

typedef std::vector<uint8_t> bytes;

static uint64_t seed = SEED;

/* splitmix64 */
static uint64_t next()
{
    uint64_t z = seed += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static bytes some(size_t length)
{
    bytes result(length);
    for (uint8_t &byte : result)
        byte = (uint8_t)next();
    return result;
}

static void hex(const char *name, const bytes &value)
{
    printf("%s = ", name);
    for (uint8_t byte : value)
        printf("%02x", byte);
    printf("\n");
}
