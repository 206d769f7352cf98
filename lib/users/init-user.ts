import { recordAudit } from '@/lib/audit/record-audit'
import { requireGrantable } from '@/lib/auth/grant'
import { requireClearRoles } from '@/lib/auth/require-clear-roles'
import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import { announceMail } from '@/lib/mail/mail-worker'
import { fateOfMail } from '@/lib/mail/outbox'
import type { JsonObject } from '@/lib/values/json'
import type { InitialUser } from './contract'
import { activationLetter, generatePassword } from './letter'
import { insertUser } from './store'

type NewUser = { email: string; password?: string | null; roles: string[]; profile: JsonObject }
type Caller = { actor: Actor; requestId: string; generatesPassword: boolean }

/**
 * Creates an account in one of three ways: with a generated password, which the mail
 * contains; with a given one; or without one. The account, its link and its mail are written
 * atomically. Throws `conflict` for a taken email, `invalid_input` for new roles whose names look like others, `forbidden` for a role the caller may not
 * grant.
 */
export async function initUser(
  deps: Deps,
  { email, password: chosen, roles, profile }: NewUser,
  { actor, requestId, generatesPassword }: Caller,
): Promise<InitialUser> {
  await requireClearRoles(deps.db, roles)
  await requireGrantable(deps.db, actor, roles)
  const generated = generatesPassword ? generatePassword() : null
  const password = generated ?? chosen ?? null
  const id = crypto.randomUUID()
  const letter = password ? activationLetter(deps, { id, email }, generated) : null
  const user = {
    id,
    email,
    roles,
    profile,
    passwordHash: password ? await deps.hashPassword(password) : null,
    status: password ? ('REQUIRED_ACTIVATION' as const) : ('REQUIRED_RESET_PASSWORD' as const),
    mustChangePassword: generated !== null,
  }
  await deps.db.transaction(async (tx) => {
    await insertUser(tx, user)
    await letter?.write(tx)
    const { status, mustChangePassword: passwordGenerated } = user
    await recordAudit(tx, actor, {
      action: 'users.create',
      objectType: 'user',
      objectId: id,
      details: {
        after: { email, roles, status },
        passwordGenerated,
        ...(letter ? { mail: fateOfMail(deps) } : {}),
      },
      requestId,
    })
  })
  if (letter) await announceMail(deps)
  return { userId: id, email, roles, profile }
}
