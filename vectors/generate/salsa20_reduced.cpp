/* Writes data/salsa20/reduced.rsp: streams of Salsa20 and XSalsa20 with 12 and with 8 rounds by Crypto++, which derives XSalsa20's
   key with as many rounds as it encrypts with. Of Salsa20/12 and /8 a few streams are published, for one key of 16 bytes; of
   XSalsa20 with as many rounds none. What is published, and NaCl's first stream of XSalsa20, is computed first.

   c++ -O2 salsa20_reduced.cpp -lcryptopp -o salsa20_reduced
   ./salsa20_reduced > ../data/salsa20/reduced.rsp */
#include <cryptopp/algparam.h>
#include <cryptopp/argnames.h>
#include <cryptopp/salsa.h>

#include <cstring>

#define SEED 0x5a15a
#include "written.hpp"

template <class Cipher>
static bytes stream(int rounds, const bytes &key, const bytes &nonce, size_t offset, size_t length)
{
    typename Cipher::Encryption cipher;
    cipher.SetKey(key.data(), key.size(),
        CryptoPP::MakeParameters(CryptoPP::Name::Rounds(), rounds)(CryptoPP::Name::IV(),
            CryptoPP::ConstByteArrayParameter(nonce.data(), nonce.size())));
    bytes result(length);
    cipher.Seek(offset);
    cipher.ProcessData(result.data(), result.data(), length);
    return result;
}

template <class Cipher>
static void one(int rounds, size_t key_bytes, size_t nonce_bytes, size_t offset, size_t length)
{
    bytes key = some(key_bytes), nonce = some(nonce_bytes);

    printf("\nRounds = %d\n", rounds);
    hex("Key", key);
    hex("Nonce", nonce);
    printf("Offset = %zu\n", offset);
    hex("Stream", stream<Cipher>(rounds, key, nonce, offset, length));
}

template <class Cipher>
static void some_of(int rounds, size_t key_bytes, size_t nonce_bytes)
{
    for (size_t length : { 1, 15, 63, 64, 65, 127, 128, 191, 255, 256, 257, 320, 511, 512, 513, 1023, 1024 })
        one<Cipher>(rounds, key_bytes, nonce_bytes, 0, length);
    for (size_t offset : { 1, 63, 64, 65, 1000, 4096, 65536, 1048575 })
        one<Cipher>(rounds, key_bytes, nonce_bytes, offset, 200);
}

/* eSTREAM, set 1, vector 0, of both numbers of rounds; "Cryptography in NaCl", sections 8 and 10. */
static bool as_published()
{
    static const uint8_t twelve[] = { 0xfc, 0x20, 0x7d, 0xbf, 0xc7, 0x6c, 0x5e, 0x17 };
    static const uint8_t eight[] = { 0xa9, 0xc9, 0xf8, 0x88, 0xab, 0x55, 0x2a, 0x2d };
    static const uint8_t key[] = { 0x1b, 0x27, 0x55, 0x64, 0x73, 0xe9, 0x85, 0xd4, 0x62, 0xcd, 0x51, 0x19, 0x7a, 0x9a, 0x46, 0xc7,
        0x60, 0x09, 0x54, 0x9e, 0xac, 0x64, 0x74, 0xf2, 0x06, 0xc4, 0xee, 0x08, 0x44, 0xf6, 0x83, 0x89 };
    static const uint8_t nonce[] = { 0x69, 0x69, 0x6e, 0xe9, 0x55, 0xb6, 0x2b, 0x73, 0xcd, 0x62, 0xbd, 0xa8, 0x75, 0xfc, 0x73, 0xd6,
        0x82, 0x19, 0xe0, 0x03, 0x6b, 0x7a, 0x0b, 0x37 };
    static const uint8_t extended[] = { 0xee, 0xa6, 0xa7, 0x25, 0x1c, 0x1e, 0x72, 0x91 };
    bytes first(16), zero(8);

    first[0] = 0x80;
    return !memcmp(stream<CryptoPP::Salsa20>(12, first, zero, 0, 8).data(), twelve, 8)
        && !memcmp(stream<CryptoPP::Salsa20>(8, first, zero, 0, 8).data(), eight, 8)
        && !memcmp(stream<CryptoPP::XSalsa20>(20, bytes(key, key + 32), bytes(nonce, nonce + 24), 0, 8).data(), extended, 8);
}

int main()
{
    if (!as_published()) {
        fprintf(stderr, "this Crypto++ is not what is published\n");
        return 1;
    }
    printf("# Salsa20 (nonces of 8 bytes) and XSalsa20 (24) with 12 and 8 rounds, generated with Crypto++.\n");
    printf("# Offset: the bytes of the stream before these.\n");
    for (int rounds : { 12, 8 }) {
        some_of<CryptoPP::Salsa20>(rounds, 32, 8);
        some_of<CryptoPP::Salsa20>(rounds, 16, 8);
        some_of<CryptoPP::XSalsa20>(rounds, 32, 24);
    }
    return 0;
}
