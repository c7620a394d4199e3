/* Writes data/speck/speck128-xts.rsp: Speck128 in XTS, encrypted by Crypto++, whose SPECK128 has little-endian words and y
   before x, as its header and its test vectors say. There are no published vectors.

   With SSSE3, version 8.7 encrypts several blocks as the paper has it, but a single one, and so each tweak, otherwise. That
   path is switched off, and the paper's example is computed first.

   c++ -O2 speck128_xts.cpp -lcryptopp -o speck128_xts
   ./speck128_xts > ../data/speck/speck128-xts.rsp */
#include <cryptopp/cpu.h>
#include <cryptopp/filters.h>
#include <cryptopp/speck.h>
#include <cryptopp/xts.h>

#include <cstring>

#define SEED 0x5eec
#include "written.hpp"

static void one(size_t key_bytes, size_t length)
{
    bytes key = some(2 * key_bytes), tweak = some(16), plain = some(length), encrypted(length);

    CryptoPP::XTS_Mode<CryptoPP::SPECK128>::Encryption encryption;
    encryption.SetKeyWithIV(key.data(), key.size(), tweak.data(), tweak.size());
    CryptoPP::ArraySource(plain.data(), length, true,
        new CryptoPP::StreamTransformationFilter(encryption, new CryptoPP::ArraySink(encrypted.data(), length),
            CryptoPP::StreamTransformationFilter::NO_PADDING));

    printf("\n");
    hex("Key", key);
    hex("i", tweak);
    hex("PT", plain);
    hex("CT", encrypted);
}

/* Appendix C of the Speck paper, Speck128/128. */
static bool as_in_the_paper()
{
    static const uint8_t expected[] = { 0x18, 0x0d, 0x57, 0x5c, 0xdf, 0xfe, 0x60, 0x78, 0x65, 0x32, 0x78, 0x79, 0x51, 0x98,
        0x5d, 0xa6 };
    uint8_t key[16], block[16];

    for (int i = 0; i < 16; i++)
        key[i] = (uint8_t)i;
    CryptoPP::SPECK128::Encryption(key, 16).ProcessBlock((const uint8_t *)" made it equival", block);
    return !memcmp(block, expected, 16);
}

int main()
{
#if CRYPTOPP_BOOL_X86 || CRYPTOPP_BOOL_X32 || CRYPTOPP_BOOL_X64
    CryptoPP::HasSSSE3();
    CryptoPP::g_hasSSSE3 = false;
#endif
    if (!as_in_the_paper()) {
        fprintf(stderr, "this Crypto++ is not what the paper says\n");
        return 1;
    }
    printf("# Speck128 in XTS, generated with Crypto++.\n");
    printf("# Key: key 1, then key 2. i: the tweak. Lengths: 16 to 64 bytes, every eighth to 272, 512 and 4095.\n");
    for (size_t key_bytes : { 16, 24, 32 }) {
        for (size_t length = 16; length <= 64; length++)
            one(key_bytes, length);
        for (size_t length = 72; length <= 272; length += 8)
            one(key_bytes, length);
        one(key_bytes, 512);
        one(key_bytes, 4095);
    }
    return 0;
}
