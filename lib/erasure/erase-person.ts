import { recordAudit } from '@/lib/audit/record-audit'
import { requireStill } from '@/lib/auth/actor-now'
import { requireNoStronger } from '@/lib/auth/grant'
import type { Actor } from '@/lib/auth/rights'
import type { Budget } from '@/lib/db/budget'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { requireRecentlyConfirmed } from '@/lib/second-factors/confirm-identity'
import { settlePending } from '@/lib/tables/settle-pending'
import { requireNotManaged } from '@/lib/users/managed'
import { lockAdministrators } from '@/lib/users/store'
import { requireAdministrator } from '@/lib/users/update-user'
import type { ErasedPart, PersonErasure } from './contract'
import { countsOf, together } from './parts'
import { deleteAccount, deleteTraces } from './person/account'
import { rewriteAudit } from './person/audit'
import { findPerson, type Person } from './person/find-person'
import { rewriteOwnTables, rewriteSignatures } from './person/own-tables'
import { newPseudonym, type Pseudonym } from './person/pseudonym'
import { countRemaining } from './person/remaining'
import { rewriteSignedRecords } from './person/signed-records'
import { rewriteWaitingMails } from './person/waiting-mails'
import { inErasureTime } from './time-limit'
import { inTrial } from './trial'

type Input = { userId: string; confirm: string | undefined; dryRun: boolean }
type Caller = { actor: Actor; requestId: string; client: Budget['client'] }
type Source = Pick<Deps, 'db' | 'secret' | 'settings'>

/**
 * Erases a person in one transaction: their account goes, and a pseudonym stands wherever they stood; also of an account that was
 * deleted before. `dryRun` does the same and takes it back. Throws `not_found` where nothing is stored of them, `invalid_input` without
 * their email as confirmation, `forbidden` for one with more rights than the caller, for a caller who was erased meanwhile and for a session that must confirm first,
 * `conflict` for the caller, the last administrator, and one whom SCIM manages, and `unavailable` when it takes too long.
 */
export function erasePerson(deps: Source, input: Input, caller: Caller): Promise<PersonErasure> {
  const { dryRun } = input
  return inErasureTime(deps, { dryRun, client: caller.client }, async () => {
    await settlePending(deps.db)
    const erased = await inTrial(deps.db, dryRun, (tx) => erase(tx, deps, input, caller))
    return { dryRun, ...erased, pseudonym: dryRun ? null : erased.pseudonym }
  })
}

/** The stages. */
async function erase(tx: Db, { secret }: Source, input: Input, caller: Caller) {
  await lockAdministrators(tx)
  const { requestId } = caller
  const actor = await requireStill(tx, caller.actor, ['security:manage'])
  const person = await findPerson(tx, input.userId)
  if (!input.dryRun) await requireRecentlyConfirmed(tx, actor)
  await requireErasable(tx, person, actor)
  if (!input.dryRun) requireTyped(person, input.confirm)
  const as = newPseudonym()
  const account = await deleteAccount(tx, person)
  if (person.account) await requireAdministrator(tx, person.account)
  const traces = await deleteTraces(tx, person)
  const elsewhere = await rewriteAll(tx, secret, person, as)
  const parts = together([...account, ...traces, ...elsewhere])
  const remaining = await countRemaining(tx, person)
  await recordAudit(tx, actor, {
    action: 'users.erase',
    objectType: 'user',
    objectId: as.id,
    details: { pseudonym: as.name, tables: countsOf(parts) },
    requestId,
  })
  return { pseudonym: as.name, parts, remaining }
}

async function requireErasable(tx: Db, { id, account }: Person, actor: Actor): Promise<void> {
  if (actor.userId === id)
    throw new AppError('conflict', 'You can’t erase yourself; ask another administrator to do it')
  if (!account) return
  await requireNoStronger(tx, actor, account.roles)
  await requireNotManaged(tx, id)
}

function requireTyped({ emails }: Person, confirm: string | undefined): void {
  const isKnown = (email: string) => email.toLowerCase() === confirm?.toLowerCase()
  if (emails.some(isKnown) || (emails.length === 0 && confirm === undefined)) return
  const error = 'Must be the email of the person who is erased'
  throw new AppError('invalid_input', error, { validations: [{ field: 'confirm', error }] })
}

async function rewriteAll(
  tx: Db,
  secret: Source['secret'],
  person: Person,
  as: Pseudonym,
): Promise<ErasedPart[]> {
  return [
    ...(await rewriteSignedRecords(tx, person, as)),
    ...(await rewriteWaitingMails(tx, secret, person, as)),
    ...(await rewriteSignatures(tx, person, as)),
    ...(await rewriteOwnTables(tx, person, as)),
    ...(await rewriteAudit(tx, person, as)),
  ]
}
