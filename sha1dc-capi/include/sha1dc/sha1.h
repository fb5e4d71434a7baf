/*
 * SHA-1 that detects collision attacks: the interface of libsha1detectcoll, the library of Stevens and
 * Shumow's reference implementation, with the same names and the same structure. A program that was
 * compiled against the reference's header runs with this library, and the other way round.
 *
 * Functions do nothing with a null context, and SHA1DCFinal then returns -1.
 */
#ifndef SHA1DC_SHA1_H
#define SHA1DC_SHA1_H

#ifndef SHA1DC_NO_STANDARD_INCLUDES
#include <stddef.h>
#include <stdint.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Told of a block that is half of a collision: where it stands in the message, in bytes; the chaining
 * values before it and before the other message's block, 5 words each; and the expanded messages of
 * both, 80 words each. The pointers hold until it returns. It must not throw.
 */
typedef void (*collision_block_callback)(uint64_t, const uint32_t *, const uint32_t *,
					 const uint32_t *, const uint32_t *);

/*
 * A message under way. It holds no pointer to itself and nothing that has to be freed, so it may be
 * copied with memcpy and forgotten.
 */
typedef struct {
	uint64_t total;		  /* bytes so far */
	uint32_t ihv[5];	  /* chaining value */
	unsigned char buffer[64]; /* the last total % 64 bytes */
	int found_collision;	  /* not 0 if a collision was detected */
	int safe_hash;		  /* the settings, each 0 or 1 */
	int detect_coll;
	int ubc_check;
	int reduced_round_coll;
	collision_block_callback callback;
	/* Of the last block that was detected, what the callback is told. */
	uint32_t ihv1[5];
	uint32_t ihv2[5];
	uint32_t m1[80];
	uint32_t m2[80];
	uint32_t states[80][5];	  /* not used */
} SHA1_CTX;

/* Begins a message. Detection, safe hashes and the filter are on, the rest is off. */
void SHA1DCInit(SHA1_CTX *);

/*
 * Whether a detected collision changes the digest, so that the messages of the pair have different
 * ones. Whoever shares digests with others, as git does, switches it off and looks at what
 * SHA1DCFinal returns. On at first.
 */
void SHA1DCSetSafeHash(SHA1_CTX *, int);

/* Whether the filter runs: without it the same is found some twenty times slower. On at first. */
void SHA1DCSetUseUBC(SHA1_CTX *, int);

/* Whether collisions are detected at all: without, this is plain SHA-1. On at first. */
void SHA1DCSetUseDetectColl(SHA1_CTX *, int);

/* Whether collisions of SHA-1 with fewer rounds count as well. Off at first. */
void SHA1DCSetDetectReducedRoundCollision(SHA1_CTX *, int);

/* Who is told of each block that is half of a collision; NULL for nobody, as at first. */
void SHA1DCSetCallback(SHA1_CTX *, collision_block_callback);

/* Appends so many bytes to the message. */
void SHA1DCUpdate(SHA1_CTX *, const char *, size_t);

/* Ends the message and writes its digest. Returns 0 if no collision was detected in it. */
int SHA1DCFinal(unsigned char[20], SHA1_CTX *);

/*
 * Compresses a block, given as it lies in the message, into a chaining value. Writes its expanded
 * message, and of the states those before steps 58 (as words d, e, a, b, c) and 65 (a, b, c, d, e).
 */
void sha1_compression_states(uint32_t ihv[5], const uint32_t m[16], uint32_t W[80],
			     uint32_t states[80][5]);

#ifdef __cplusplus
}
#endif

#endif
