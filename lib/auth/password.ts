import { hash, verify } from '@node-rs/argon2'

/** OWASP's parameters for Argon2id (memory in KiB); about 10 ms off the main thread. */
const STORED_PASSWORDS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Makes encoded Argon2id strings, which hold their salt and cost. */
export function passwordHasher(cost = STORED_PASSWORDS) {
  return (password: string): Promise<string> => hash(normalise(password), cost)
}

/** Whether `encoded` is a hash of `password`. */
export const verifyPassword = (encoded: string, password: string): Promise<boolean> =>
  verify(encoded, normalise(password))

// The same character can be typed as one code point or as several (NIST 800-63B 5.1.1.2).
const normalise = (password: string) => password.normalize('NFKC')
