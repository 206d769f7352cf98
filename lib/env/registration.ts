import { z } from 'zod'
import { NO_ROLE } from './oidc-providers'
import { names } from './setting-types'

/** Who may make an account here without an administrator. `domains` are those of emails, in lower case. */
export type Registration = { by: 'off' | 'invited' | 'domain' | 'open'; domains: string[] }

const DOMAIN = /^[a-z\d-]+(\.[a-z\d-]+)+$/

/** `off`, `invited`, `open`, or `domain:` and a list of domains. */
export const registration = () =>
  z
    .string()
    .default('off')
    .transform((text, context): Registration => {
      const [, by = '', list] = /^([^:]*)(?::(.*))?$/s.exec(text.trim().toLowerCase()) ?? []
      const domains = list === undefined ? [] : names().parse(list)
      if (list === undefined && (by === 'off' || by === 'invited' || by === 'open'))
        return { by, domains }
      if (by === 'domain' && domains.length > 0 && domains.every((domain) => DOMAIN.test(domain)))
        return { by, domains }
      context.addIssue('must be off, invited, open or like domain:example.com,example.org')
      return z.NEVER
    })

/** The one role that manages users, and so gives every other. */
const MANAGES_USERS = /^admin$/i

/** The role of users who register: strangers, so it is never one that manages users. */
export const registrationRole = () =>
  z
    .string()
    .trim()
    .min(1, 'must be the name of a role')
    .max(64, 'has at most 64 characters')
    .refine((role) => !NO_ROLE.test(role), 'must be a role that users may have')
    .refine(
      (role) => !MANAGES_USERS.test(role),
      'must not be ADMIN, which manages users: name another one such as VIEWER, and make administrators under Users',
    )

type Settings = {
  REGISTRATION: Registration
  REGISTRATION_ROLE?: string
  PASSWORD_SIGN_IN: boolean
}

/** What does not go together. */
export function registrationFaults(settings: Settings): string[] {
  const { REGISTRATION, REGISTRATION_ROLE: role, PASSWORD_SIGN_IN } = settings
  const { by } = REGISTRATION
  const makesUsers = by === 'domain' || by === 'open'
  return [
    ...(makesUsers && role === undefined ? [ROLE_IS_MISSING] : []),
    ...(by !== 'off' && !PASSWORD_SIGN_IN ? [NEEDS_PASSWORDS] : []),
  ]
}

const ROLE_IS_MISSING =
  'REGISTRATION_ROLE: is missing, and says what people who register may do: set a role such as VIEWER'
const NEEDS_PASSWORDS =
  'REGISTRATION: needs passwords, which PASSWORD_SIGN_IN=false turns off: set it to off, and let a provider make users by OIDC_<NAME>_NEW_USERS'
