/*
 * SHA-1 that detects collision attacks: what goes beyond the reference's interface, which is in
 * sha1dc/sha1.h. Whole messages, one or many, and what was found in them.
 */
#ifndef SHA1DC_H
#define SHA1DC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A collision attack that was found in a message: enough to verify it by hand. */
typedef struct {
	/* Where its last block stands in the message, in bytes. */
	uint64_t offset;
	/* The disturbance vector that it follows: type 1 or 2, k and b. */
	unsigned int dv_type;
	unsigned int dv_k;
	unsigned int dv_b;
	/* The chaining value of the other message before that block, and the block. */
	uint32_t partner_chaining_value[5];
	unsigned char partner_block[64];
} sha1dc_attack;

/* The version of the library, as in "0.1.6". */
const char *sha1dc_version(void);

/* The name of what hashes on this processor, as in "shani+avx512". */
const char *sha1dc_backend(void);

/*
 * Hashes a message of len bytes and writes its plain digest, 20 bytes, unless digest is NULL. Returns 0 if
 * no attack was found. Returns 1 if one was, and writes it to found, unless that is NULL. Returns -1, and
 * writes nothing, if data is NULL and len is not 0, or len is more than PTRDIFF_MAX.
 */
int sha1dc_digest(const void *data, size_t len, unsigned char *digest, sha1dc_attack *found);

/*
 * Hashes count messages side by side, which is on some processors twice as fast as one after the other.
 * Writes their digests one behind the other, 20 bytes each, unless digests is NULL; and for each what
 * sha1dc_digest would return, unless found is NULL; of a message for which that is -1 no digest is
 * written. Returns for how many that is not 0: 0 if all is well. If data or len is NULL, that is -1 for
 * all.
 */
size_t sha1dc_digest_many(const void *const *data, const size_t *len, size_t count,
			  unsigned char *digests, int *found);

#ifdef __cplusplus
}
#endif

#endif
