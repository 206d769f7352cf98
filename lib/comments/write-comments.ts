import { and, eq, sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { type Actor, can } from '@/lib/auth/rights'
import { type CommentRow, recordComments } from '@/lib/db/schema'
import { clockTime, type Db, one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { announceMail } from '@/lib/mail/mail-worker'
import { relationSql } from '@/lib/totals/keep-total'
import {
  type CommentedRecord,
  commentedRecord,
  commentsOf,
  type RecordOf,
} from './commented-record'
import { MAX_COMMENTS, type RecordComment } from './contract'
import { isAuthor, shownComment } from './list-comments'
import { mailMentions } from './mail-mentions'

type By = RecordOf & { requestId: string }
type OfComment = By & { commentId: string }
type WithText = { text: string }

/** Adds a comment. Throws `not_found` for a record that the caller does not see, `forbidden`, and `conflict` for one with the most comments. */
export const createComment = (deps: Deps, input: By & WithText): Promise<RecordComment> =>
  writing(deps, input, async (tx, record) => {
    await requireRoom(tx, record)
    return one(
      await tx
        .insert(recordComments)
        .values({
          relation: relationSql(record.entity.table),
          key: record.key,
          text: input.text,
          ...authorOf(input.actor),
        })
        .returning(),
    )
  })

/** Changes the text. Throws `not_found`, and `forbidden` for all but the author. */
export const changeComment = (deps: Deps, input: OfComment & WithText): Promise<RecordComment> =>
  writing(deps, input, async (tx, record) => {
    const before = await lockComment(tx, record, input.commentId)
    if (!isAuthor(before, input.actor))
      throw new AppError('forbidden', 'Only its author may change this comment')
    return one(
      await tx
        .update(recordComments)
        .set({ text: input.text, editedAt: clockTime })
        .where(eq(recordComments.id, before.id))
        .returning(),
    )
  })

/** Deletes it for good. Throws `not_found`, and `forbidden` for all but the author and those who manage users. */
export async function deleteComment(deps: Deps, input: OfComment): Promise<void> {
  const record = await commentedRecord(deps, input)
  await deps.db.transaction(async (tx) => {
    const before = await lockComment(tx, record, input.commentId)
    if (!isAuthor(before, input.actor) && !can(input.actor, 'users:manage'))
      throw new AppError('forbidden', 'Only its author and administrators may delete this comment')
    await tx.delete(recordComments).where(eq(recordComments.id, before.id))
    await recordChange(tx, 'comments.delete', record, before, input)
  })
}

/** What `write` stores, in a transaction with its mails and its entry in the audit log. */
async function writing(
  deps: Deps,
  input: By & Partial<OfComment>,
  write: (tx: Db, record: CommentedRecord) => Promise<CommentRow>,
): Promise<RecordComment> {
  const record = await commentedRecord(deps, input)
  const { row, mailed } = await deps.db.transaction(async (tx) => {
    const written = await write(tx, record)
    const action = input.commentId === undefined ? 'comments.create' : 'comments.update'
    await recordChange(tx, action, record, written, input)
    return { row: written, mailed: await mailMentions(tx, deps, record, written, input.actor) }
  })
  if (mailed > 0) await announceMail(deps)
  return shownComment(row, input.actor)
}

/** Under the name of a key that acts for somebody it is the key's comment. */
const authorOf = ({ type, id, name }: Actor) =>
  type === 'user'
    ? { authorType: 'user' as const, authorId: id, authorName: name }
    : { authorType: 'api_key' as const, authorKeyId: id, authorName: name }

/** Throws `conflict` for a record with the most comments that are kept. Those written at the same time follow each other. */
async function requireRoom(tx: Db, { entity, key }: CommentedRecord): Promise<void> {
  const { schema, name } = entity.table
  const lock = JSON.stringify(['comments', schema, name, key])
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`)
  const query = sql`select count(*)::int as total from ${recordComments} where ${commentsOf(entity.table, key)}`
  const { total } = one(await rows<{ total: number }>(tx, query))
  if (total >= MAX_COMMENTS)
    throw new AppError('conflict', 'A record has at most 1,000 comments; delete one')
}

/** The comment, locked until the transaction ends. Throws `not_found`, also for one of another record. */
async function lockComment(
  tx: Db,
  { entity, key }: CommentedRecord,
  id: string,
): Promise<CommentRow> {
  const own = and(eq(recordComments.id, id), commentsOf(entity.table, key))
  const [found] = await tx.select().from(recordComments).where(own).for('update')
  if (!found) throw new AppError('not_found', 'There is no comment with this id')
  return found
}

/** What a comment says stays out of the log, which is append-only. */
const recordChange = (
  tx: Db,
  action: string,
  { entity, id }: CommentedRecord,
  comment: CommentRow,
  { actor, requestId }: By,
): Promise<void> =>
  recordAudit(tx, actor, {
    action,
    objectType: 'comment',
    objectId: comment.id,
    details: { entity: entity.name, record: id, author: comment.authorName },
    requestId,
  })
