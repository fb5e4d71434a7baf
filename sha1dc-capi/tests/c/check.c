/*
 * Uses the library as a C program does. Arguments: a folder with the published collisions, and perhaps
 * "long" for a message of more than 2^32 bytes. Standard input has the digests of the messages of 0 to
 * 600 bytes, made by somebody else. Says nothing if all is well.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef REFERENCE_LAYOUT
#include "reference.h"
#else
#include <sha1dc/sha1.h>
#include <sha1dc.h>
#endif

#define LONGEST 600

static int failures;

static void check(int holds, const char *what, size_t n)
{
	if (!holds) {
		fprintf(stderr, "%s (%lu)\n", what, (unsigned long)n);
		failures++;
	}
}

static void fill(unsigned char *message, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		message[i] = (unsigned char)(i * i + 7 * i + len);
}

static void plain(SHA1_CTX *context)
{
	SHA1DCInit(context);
	SHA1DCSetSafeHash(context, 0);
}

static void update(SHA1_CTX *context, const unsigned char *data, size_t len)
{
	SHA1DCUpdate(context, (const char *)data, len);
}

/* Every length, at every address modulo 64, cut everywhere. */
static void lengths(void)
{
	static unsigned char space[LONGEST + 64];
	unsigned char expected[20], digest[20];
	SHA1_CTX context, copied;
	size_t len, at, cut;

	for (len = 0; len <= LONGEST; len++) {
		check(fread(expected, 1, 20, stdin) == 20, "a digest on standard input", len);
		for (at = 0; at < 64; at++) {
			fill(space + at, len);
			plain(&context);
			update(&context, space + at, len);
			check(SHA1DCFinal(digest, &context) == 0, "no collision", len);
			check(memcmp(digest, expected, 20) == 0, "the digest at an address", at);
		}
		fill(space, len);
		for (cut = 0; cut <= len; cut++) {
			plain(&context);
			update(&context, space, cut);
			/* A copy goes on where the original was. */
			memcpy(&copied, &context, sizeof(context));
			memset(&context, 0xa5, sizeof(context));
			update(&copied, space + cut, len - cut);
			SHA1DCFinal(digest, &copied);
			check(memcmp(digest, expected, 20) == 0, "the digest of a message cut at", cut);
		}
		plain(&context);
		for (cut = 0; cut < len; cut++)
			update(&context, space + cut, 1);
		SHA1DCFinal(digest, &context);
		check(memcmp(digest, expected, 20) == 0, "the digest byte by byte", len);
	}
}

static uint32_t rotated(uint32_t word, int by)
{
	return word << by | word >> (32 - by);
}

/* Steps t to 79 of SHA-1. */
static void steps(uint32_t state[5], const uint32_t w[80], int t)
{
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f, next;

	for (; t < 80; t++) {
		if (t < 20)
			f = ((b & c) | (~b & d)) + 0x5a827999u;
		else if (t < 40)
			f = (b ^ c ^ d) + 0x6ed9eba1u;
		else if (t < 60)
			f = ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdcu;
		else
			f = (b ^ c ^ d) + 0xca62c1d6u;
		next = rotated(a, 5) + f + e + w[t];
		e = d;
		d = c;
		c = rotated(b, 30);
		b = a;
		a = next;
	}
	state[0] = a;
	state[1] = b;
	state[2] = c;
	state[3] = d;
	state[4] = e;
}

/* Plain compression of an expanded message. */
static void compress(uint32_t value[5], const uint32_t w[80])
{
	uint32_t state[5];
	int i;

	memcpy(state, value, sizeof(state));
	steps(state, w, 0);
	for (i = 0; i < 5; i++)
		value[i] += state[i];
}

static struct {
	int calls;
	uint64_t offset;
	int collides;
	int differs;
	int from_the_message;
	const unsigned char *message;
} told;

static void callback(uint64_t offset, const uint32_t *ihv1, const uint32_t *ihv2,
		     const uint32_t *m1, const uint32_t *m2)
{
	uint32_t one[5], two[5];
	const unsigned char *block = told.message + offset;
	int t;

	memcpy(one, ihv1, sizeof(one));
	memcpy(two, ihv2, sizeof(two));
	compress(one, m1);
	compress(two, m2);
	told.calls++;
	told.offset = offset;
	told.collides = memcmp(one, two, sizeof(one)) == 0;
	told.differs = memcmp(m1, m2, 80 * sizeof(*m1)) != 0;
	told.from_the_message = 1;
	for (t = 0; t < 16; t++) {
		uint32_t word = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
				(uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
		told.from_the_message &= m1[t] == word;
	}
}

static size_t read_file(const char *folder, const char *name, unsigned char *to, size_t room)
{
	char path[4096];
	FILE *file;
	size_t len;

	sprintf(path, "%.2000s/%.2000s", folder, name);
	file = fopen(path, "rb");
	if (!file) {
		perror(path);
		exit(2);
	}
	len = fread(to, 1, room, file);
	fclose(file);
	return len;
}

static int is(const unsigned char digest[20], const char *hex)
{
	char text[41];
	int i;

	for (i = 0; i < 20; i++)
		sprintf(text + 2 * i, "%02x", digest[i]);
	return strcmp(text, hex) == 0;
}

/* The published collisions, in all modes. */
static void collisions(const char *folder)
{
	/* Name, plain digest, mitigated digest, where the attack stands. */
	static const struct {
		const char *name, *plain, *mitigated;
		uint64_t offset;
	} published[] = {
		{ "shattered-1.bin", "f92d74e3874587aaf443d1db961d4e26dde13e9c",
		  "7117b3cb9225aaf0d8ef1a40e493957b0bf8693d", 256 },
		{ "shattered-2.bin", "f92d74e3874587aaf443d1db961d4e26dde13e9c", NULL, 256 },
		{ "sha-mbles-1.bin", "8ac60ba76f1999a1ab70223f225aefdc78d4ddc0", NULL, 576 },
		{ "sha-mbles-2.bin", "8ac60ba76f1999a1ab70223f225aefdc78d4ddc0", NULL, 576 },
	};
	static unsigned char message[4096];
	unsigned char digest[20];
	SHA1_CTX context;
	size_t i, len;
	int filter;

	for (i = 0; i < sizeof(published) / sizeof(*published); i++) {
		len = read_file(folder, published[i].name, message, 4096);
		for (filter = 0; filter < 2; filter++) {
			plain(&context);
			SHA1DCSetUseUBC(&context, filter);
			SHA1DCSetCallback(&context, callback);
			memset(&told, 0, sizeof(told));
			told.message = message;
			update(&context, message, 100);
			update(&context, message + 100, len - 100);
			check(context.found_collision != 0, "the field found_collision", i);
			check(told.calls == 1, "the callback is called once", i);
			check(told.offset == published[i].offset, "where the attack stands", i);
			check(told.collides && told.differs && told.from_the_message,
			      "what the callback is told", i);
			check(SHA1DCFinal(digest, &context) != 0, "a collision is told", i);
			check(is(digest, published[i].plain), "the plain digest", i);
		}
		SHA1DCInit(&context);
		update(&context, message, len);
		check(SHA1DCFinal(digest, &context) != 0, "a collision is told", i);
		check(!is(digest, published[i].plain), "a digest of its own", i);
		if (published[i].mitigated)
			check(is(digest, published[i].mitigated), "the mitigated digest", i);

		SHA1DCInit(&context);
		SHA1DCSetUseDetectColl(&context, 0);
		update(&context, message, len);
		check(SHA1DCFinal(digest, &context) == 0, "no detection", i);
		check(is(digest, published[i].plain), "the plain digest without detection", i);
	}

	/* Both blocks of an attack, the first of which is one only with fewer rounds. */
	len = read_file(folder, "shattered-1.bin", message, 4096);
	plain(&context);
	SHA1DCSetDetectReducedRoundCollision(&context, 1);
	SHA1DCSetCallback(&context, callback);
	memset(&told, 0, sizeof(told));
	told.message = message;
	update(&context, message, len);
	check(told.calls == 2 && told.offset == 256, "each block is told of", 0);
	check(told.collides && told.from_the_message, "the last of them", 0);

	len = read_file(folder, "reduced-round-1.bin", message, 4096);
	SHA1DCInit(&context);
	update(&context, message, len);
	check(SHA1DCFinal(digest, &context) == 0, "fewer rounds do not count", 0);
	SHA1DCInit(&context);
	SHA1DCSetDetectReducedRoundCollision(&context, 1);
	update(&context, message, len);
	check(SHA1DCFinal(digest, &context) != 0, "fewer rounds count if asked for", 0);
}

/* What the reference's own functions do, whether meant so or not. */
static void oddities(void)
{
	static const uint32_t initial[5] = { 0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u,
					     0xc3d2e1f0u };
	unsigned char digest[20], again[20], block[64], message[128];
	uint32_t value[5], words[16], w[80], states[80][5], zero[80][5];
	SHA1_CTX context;
	int i;

	SHA1DCInit(NULL);
	SHA1DCSetSafeHash(NULL, 1);
	SHA1DCSetCallback(NULL, NULL);
	SHA1DCUpdate(NULL, "abc", 3);
	check(SHA1DCFinal(digest, NULL) == -1, "no context", 0);
	plain(&context);
	SHA1DCUpdate(&context, NULL, 0);
	SHA1DCUpdate(&context, NULL, 100);
	SHA1DCUpdate(&context, "abc", 3);
	SHA1DCUpdate(&context, "x", 0);
	check(SHA1DCFinal(digest, &context) == 0, "abc", 0);
	check(is(digest, "a9993e364706816aba3e25717850c26c9cd0d89d"), "abc", 1);
	/* The second end is that of the padded message, without the length. */
	check(SHA1DCFinal(again, &context) == 0 && memcmp(digest, again, 20) != 0, "twice", 0);
	plain(&context);
	memset(message, 0, sizeof(message));
	memcpy(message, "abc\x80", 4);
	message[63] = 24;
	update(&context, message, 64);
	memcpy(context.buffer, message, 64);
	context.total = 56;
	SHA1DCFinal(digest, &context);
	check(memcmp(digest, again, 20) == 0, "twice is as documented", 0);
	check(SHA1DCFinal(NULL, &context) == 0, "no place for the digest", 0);

	/* A context with nothing sensible in it hashes, if to no purpose. */
	memset(&context, 0x5a, sizeof(context));
	SHA1DCSetCallback(&context, NULL);
	update(&context, message, 100);
	SHA1DCFinal(digest, &context);

	for (i = 0; i < 64; i++)
		block[i] = (unsigned char)(31 * i);
	memcpy(words, block, sizeof(words));
	memcpy(value, initial, sizeof(value));
	memset(states, 0, sizeof(states));
	memset(zero, 0, sizeof(zero));
	sha1_compression_states(value, words, w, states);
	check(w[0] == 0x001f3e5du, "the first word is the first four bytes", w[0]);
	plain(&context);
	update(&context, block, 64);
	check(memcmp(value, context.ihv, sizeof(value)) == 0, "sha1_compression_states", 0);
	memcpy(value, initial, sizeof(value));
	compress(value, w);
	check(memcmp(value, context.ihv, sizeof(value)) == 0, "the expanded message", 0);
	for (i = 0; i < 80; i++)
		if (i != 58 && i != 65)
			check(memcmp(states[i], zero, sizeof(*states)) == 0, "no state", i);
	/* From both, the rest of the steps leads to the end. In the first, words stand as d, e, a, b, c. */
	memcpy(words, states[58], 5 * sizeof(*words));
	memcpy(states[58], words + 2, 3 * sizeof(*words));
	memcpy(states[58] + 3, words, 2 * sizeof(*words));
	for (i = 58; i <= 65; i += 7) {
		steps(states[i], w, i);
		check(states[i][0] + initial[0] == value[0] && states[i][4] + initial[4] == value[4],
		      "the end from a state", i);
	}
}

#ifndef REFERENCE_LAYOUT
/* Whole messages. */
static void beyond(const char *folder)
{
	static unsigned char space[100][700], digests[100][20], attacked[4096];
	const void *messages[100];
	size_t lengths[100], i, len;
	unsigned char digest[20];
	int found[100];
	sha1dc_attack attack;
	SHA1_CTX context;

	check(strcmp(sha1dc_version(), VERSION) == 0, "the version", 0);
	check(strchr(sha1dc_backend(), '+') != NULL, "a backend's name", 0);
	len = read_file(folder, "shattered-1.bin", attacked, sizeof(attacked));
	memset(&attack, 0, sizeof(attack));
	check(sha1dc_digest(attacked, len, digest, &attack) == 1, "an attack", 0);
	check(is(digest, "f92d74e3874587aaf443d1db961d4e26dde13e9c"), "its digest", 0);
	check(attack.offset == 256 && attack.dv_type == 2 && attack.dv_k == 52 && attack.dv_b == 0,
	      "which attack", 0);
	check(memcmp(attack.partner_block, attacked + 256, 64) != 0, "the partner block", 0);
	check(sha1dc_digest("abc", 3, digest, NULL) == 0, "abc", 0);
	check(is(digest, "a9993e364706816aba3e25717850c26c9cd0d89d"), "abc", 0);
	check(sha1dc_digest(NULL, 0, NULL, NULL) == 0, "an empty message", 0);
	check(sha1dc_digest(NULL, 3, digest, NULL) == -1, "no message", 0);

	for (i = 0; i < 100; i++) {
		lengths[i] = 7 * i;
		fill(space[i], lengths[i]);
		messages[i] = space[i];
	}
	messages[31] = attacked;
	lengths[31] = len;
	messages[50] = NULL;
	check(sha1dc_digest_many(messages, lengths, 100, digests[0], found) == 2, "two of them", 0);
	for (i = 0; i < 100; i++) {
		check(found[i] == (i == 31 ? 1 : i == 50 ? -1 : 0), "what is found in", i);
		if (i == 50)
			continue;
		plain(&context);
		SHA1DCUpdate(&context, (const char *)messages[i], lengths[i]);
		SHA1DCFinal(digest, &context);
		check(memcmp(digest, digests[i], 20) == 0, "the digest of", i);
	}
	check(sha1dc_digest_many(messages, lengths, 50, NULL, NULL) == 1, "no place for results", 0);
	check(sha1dc_digest_many(NULL, NULL, 0, NULL, NULL) == 0, "no messages", 0);
	check(sha1dc_digest_many(messages, NULL, 2, NULL, found) == 2, "no lengths", 0);
	check(found[0] == -1 && found[1] == -1, "no lengths", 1);
}
#endif

/* 2^32 + 1 zero bytes at once. The digest was made with Python's hashlib. */
static void a_long_message(void)
{
	size_t len = ((size_t)1 << 16 << 16) + 1;
	unsigned char *zeros = calloc(len, 1), digest[20];
	SHA1_CTX context;

	if (!zeros) {
		fprintf(stderr, "no memory for a long message\n");
		exit(2);
	}
	SHA1DCInit(&context);
	update(&context, zeros, len);
	check(SHA1DCFinal(digest, &context) == 0, "no collision", len);
	check(is(digest, LONG_DIGEST), "the digest of a long message", len);
	free(zeros);
}

int main(int count, char **arguments)
{
	if (count < 2)
		return 2;
	lengths();
	collisions(arguments[1]);
	oddities();
#ifndef REFERENCE_LAYOUT
	beyond(arguments[1]);
#endif
	if (count > 2)
		a_long_message();
	return failures != 0;
}
