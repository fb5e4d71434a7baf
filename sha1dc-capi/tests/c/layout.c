/* Tells the sizes and places in our headers, for comparison with the Rust. */
#include <sha1dc/sha1.h>
#include <sha1dc.h>
#include <stdio.h>

#define TELL(of, field) printf("%s.%s %lu\n", #of, #field, (unsigned long)offsetof(of, field))

int main(void)
{
	printf("SHA1_CTX %lu\n", (unsigned long)sizeof(SHA1_CTX));
	TELL(SHA1_CTX, total);
	TELL(SHA1_CTX, ihv);
	TELL(SHA1_CTX, buffer);
	TELL(SHA1_CTX, found_collision);
	TELL(SHA1_CTX, safe_hash);
	TELL(SHA1_CTX, detect_coll);
	TELL(SHA1_CTX, ubc_check);
	TELL(SHA1_CTX, reduced_round_coll);
	TELL(SHA1_CTX, callback);
	TELL(SHA1_CTX, ihv1);
	TELL(SHA1_CTX, ihv2);
	TELL(SHA1_CTX, m1);
	TELL(SHA1_CTX, m2);
	TELL(SHA1_CTX, states);
	printf("sha1dc_attack %lu\n", (unsigned long)sizeof(sha1dc_attack));
	TELL(sha1dc_attack, offset);
	TELL(sha1dc_attack, dv_type);
	TELL(sha1dc_attack, dv_k);
	TELL(sha1dc_attack, dv_b);
	TELL(sha1dc_attack, partner_chaining_value);
	TELL(sha1dc_attack, partner_block);
	return 0;
}
