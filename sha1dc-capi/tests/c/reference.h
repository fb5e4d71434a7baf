/*
 * The interface as the reference's header has it in version 1.0.3, to see that a program that was compiled
 * with that runs with this library: names, types and order of fields are facts of that interface.
 */
#include <stddef.h>
#include <stdint.h>

typedef void (*collision_block_callback)(uint64_t, const uint32_t *, const uint32_t *,
					 const uint32_t *, const uint32_t *);

typedef struct {
	uint64_t total;
	uint32_t ihv[5];
	unsigned char buffer[64];
	int found_collision;
	int safe_hash;
	int detect_coll;
	int ubc_check;
	int reduced_round_coll;
	collision_block_callback callback;
	uint32_t ihv1[5];
	uint32_t ihv2[5];
	uint32_t m1[80];
	uint32_t m2[80];
	uint32_t states[80][5];
} SHA1_CTX;

#if UINTPTR_MAX > 0xffffffffu
typedef char size_of_context[sizeof(SHA1_CTX) == 2400 ? 1 : -1];
typedef char place_of_ihv[offsetof(SHA1_CTX, ihv) == 8 ? 1 : -1];
typedef char place_of_buffer[offsetof(SHA1_CTX, buffer) == 28 ? 1 : -1];
typedef char place_of_found_collision[offsetof(SHA1_CTX, found_collision) == 92 ? 1 : -1];
typedef char place_of_callback[offsetof(SHA1_CTX, callback) == 112 ? 1 : -1];
typedef char place_of_states[offsetof(SHA1_CTX, states) == 800 ? 1 : -1];
#endif

void SHA1DCInit(SHA1_CTX *);
void SHA1DCSetSafeHash(SHA1_CTX *, int);
void SHA1DCSetUseUBC(SHA1_CTX *, int);
void SHA1DCSetUseDetectColl(SHA1_CTX *, int);
void SHA1DCSetDetectReducedRoundCollision(SHA1_CTX *, int);
void SHA1DCSetCallback(SHA1_CTX *, collision_block_callback);
void SHA1DCUpdate(SHA1_CTX *, const char *, size_t);
int SHA1DCFinal(unsigned char[20], SHA1_CTX *);
void sha1_compression_states(uint32_t[5], const uint32_t[16], uint32_t[80], uint32_t[80][5]);
