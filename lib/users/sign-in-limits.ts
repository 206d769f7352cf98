import { inTurn } from '@/lib/async/turns'
import { type Device, knowsAccount } from '@/lib/auth/known-device'
import type { Counter, RateLimit } from '@/lib/auth/rate-limit'
import { networkOf } from '@/lib/auth/request-origin'

const MINUTE_S = 60
const BY_DEVICE: RateLimit = { name: 'sign-in-device', points: 10, seconds: 15 * MINUTE_S }
const BY_ADDRESS: RateLimit = { name: 'sign-in-from', points: 30, seconds: 5 * MINUTE_S }
const BY_ACCOUNT_AND_ADDRESS: RateLimit = { name: 'sign-in', points: 10, seconds: 15 * MINUTE_S }
/** NIST SP 800-63B 5.2.2: no more than 100 failures in a row. */
const BY_ACCOUNT: RateLimit = {
  name: 'sign-in-anywhere',
  points: 100,
  seconds: 60 * MINUTE_S,
  advice:
    ', use a browser that you have signed in with before, or set a new password by "Forgot password"',
}

type Attempt = {
  email: string
  /** Of the caller. */
  address: string | null
  device: Device | null
}

/** The limits of a sign-in that count failures; a success resets `own`. */
export type SignInCounters = {
  /** Of this device, or of the account at this address. */
  own: Counter
  /** Of the address and of the account; none for a device that knows the account. */
  shared: Counter[]
}

/**
 * A device that was used for the account before has limits of its own, so that other people's
 * guesses don't lock out the owner; other devices count for their address and the account too.
 */
export function signInCounters({ email, address, device }: Attempt): SignInCounters {
  if (device && knowsAccount(device, email))
    return { own: { limit: BY_DEVICE, subject: `${device.id} ${email.trim()}` }, shared: [] }
  const network = networkOf(address)
  const shared = [
    { limit: BY_ADDRESS, subject: network },
    { limit: BY_ACCOUNT, subject: email },
  ]
  return { own: accountAtAddress(email, network), shared }
}

/** The limits that can lock out the owner of the account at this address. */
export const countersOfOwner = (email: string, address: string | null): Counter[] => [
  accountAtAddress(email, networkOf(address)),
  { limit: BY_ACCOUNT, subject: email },
]

const accountAtAddress = (email: string, network: string): Counter => ({
  limit: BY_ACCOUNT_AND_ADDRESS,
  subject: `${network} ${email.trim()}`,
})

/** Sign-ins from one address that are checked at the same time; each takes a core for its hash. */
const MAX_TOGETHER = 4

/**
 * Runs a sign-in after earlier ones with the same limits. Only failures count, so concurrent
 * guesses would otherwise all be checked before the first of them counted.
 */
export function afterOthers<T>(
  { own, shared }: SignInCounters,
  work: () => Promise<T>,
): Promise<T> {
  const alone = () => inTurn(keyOf(own), 1, work)
  const [address] = shared
  return address ? inTurn(keyOf(address), MAX_TOGETHER, alone) : alone()
}

const keyOf = ({ limit, subject }: Counter) => `${limit.name} ${subject.toLowerCase()}`
