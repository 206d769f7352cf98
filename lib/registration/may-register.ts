import type { Env } from '@/lib/env'
import { AppError } from '@/lib/errors'

type Settings = Pick<Env, 'REGISTRATION'>

/** Whether a user is made of an address that has none. */
export function mayRegister({ REGISTRATION: { by, domains } }: Settings, email: string): boolean {
  if (by === 'open') return true
  return by === 'domain' && domains.includes(domainOf(email))
}

/** The domain itself: not one below it, nor one that ends alike. */
const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** By which mails are counted: those to `ann+1@…` and `ann+2@…` come to one mailbox. */
export function mailboxOf(email: string): string {
  const [name = ''] = email.slice(0, email.lastIndexOf('@')).split('+')
  return `${name}@${domainOf(email)}`
}

export const registrationIsClosed = () =>
  new AppError('forbidden', 'Accounts are made by administrators here; ask one of them')
