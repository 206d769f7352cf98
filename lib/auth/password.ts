import 'server-only'
import { hash, verify } from '@node-rs/argon2'

/** Encoded argon2id string (OWASP's parameters, salt included); about 10 ms off the main thread. */
export const hashPassword = (password: string): Promise<string> => hash(normalise(password))

/** Whether `encoded` is a hash of `password`. */
export const verifyPassword = (encoded: string, password: string): Promise<boolean> =>
  verify(encoded, normalise(password))

// The same character can be typed as one code point or as several (NIST 800-63B 5.1.1.2).
const normalise = (password: string) => password.normalize('NFKC')
