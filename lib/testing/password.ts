import { passwordHasher } from '@/lib/auth/password'

/** At the least cost: tests sign in hundreds of times. */
export const hashPassword = passwordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 })
