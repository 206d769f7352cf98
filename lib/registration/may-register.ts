import type { Env } from '@/lib/env'
import { AppError } from '@/lib/errors'

type Settings = Pick<Env, 'REGISTRATION'>

/** Whether people make accounts here, whatever their address. */
export const makesUsers = ({ REGISTRATION: { by } }: Settings): boolean =>
  by === 'open' || by === 'domain'

/** Whether a user is made of an address that has none. */
export function mayRegister({ REGISTRATION: { by, domains } }: Settings, email: string): boolean {
  if (by === 'open') return true
  return by === 'domain' && domains.includes(domainOf(email))
}

/** The domain itself: not one below it, nor one that ends alike. */
const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/**
 * By which mails are counted: those to `ann+1@…` and `ann+2@…` come to one mailbox. They are not counted with `ann@…`: its
 * owner would get no mail any more once strangers have asked for the others.
 */
export function mailboxOf(email: string): string {
  const end = email.indexOf('+', 1)
  return end < 0 ? email : `${email.slice(0, end + 1)}@${domainOf(email)}`
}

export const registrationIsClosed = () =>
  new AppError('forbidden', 'Accounts are made by administrators here; ask one of them')
