import { sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { type CommentRow, recordComments } from '@/lib/db/schema'
import { rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { recordNotFound } from '@/lib/records/record-where'
import { commentsOf, type RecordOf, readableEntity, visibleKey } from './commented-record'
import type { CommentsQuery, RecordComment } from './contract'

type Stored = Pick<
  CommentRow,
  'id' | 'text' | 'authorId' | 'authorKeyId' | 'authorType' | 'authorName'
> & { createdAt: string; editedAt: string | null }

/** A page of the comments of a record, oldest first. Throws `not_found` for a record that `actor` does not see, `forbidden`. */
export async function listComments(
  deps: Deps,
  { page, size, ...input }: RecordOf & CommentsQuery,
): Promise<{ comments: RecordComment[]; total: number }> {
  const { entity, target } = await readableEntity(deps, input)
  const own = commentsOf(entity.table, sql`r."key"`)
  const [found] = await rows<{ total: number; comments: Stored[] }>(
    (deps.primary ?? deps).db,
    sql`with r as materialized (${visibleKey(target, input.id)})
      select (select count(*)::int from ${recordComments} where ${own}) as "total",
        (select coalesce(json_agg(${COMMENT} order by number), '[]') from (
          select * from ${recordComments} where ${own} order by number limit ${size} offset ${page * size}
        ) as c) as "comments"
      from r`,
  )
  if (!found) throw recordNotFound(entity.name, input.id)
  const { comments, total } = found
  return { comments: comments.map((one) => toComment(one, input.actor)), total }
}

const instantText = (column: string) =>
  sql`to_char(${sql.raw(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const COMMENT = sql`json_build_object('id', c.id, 'text', c.text, 'authorId', c.author_id, 'authorKeyId', c.author_key_id,
  'authorType', c.author_type, 'authorName', c.author_name, 'createdAt', ${instantText('c.created_at')}, 'editedAt', ${instantText('c.edited_at')})`

/** Whether `actor` wrote it: a key is not the person for whom it acts. */
export const isAuthor = (
  { authorId, authorKeyId }: Pick<CommentRow, 'authorId' | 'authorKeyId'>,
  { type, id }: Actor,
): boolean => (type === 'user' ? authorId === id : type === 'api_key' && authorKeyId === id)

const toComment = (stored: Stored, actor: Actor): RecordComment => ({
  id: stored.id,
  text: stored.text,
  author: { type: stored.authorType, name: stored.authorName },
  mine: isAuthor(stored, actor),
  createdAt: stored.createdAt,
  editedAt: stored.editedAt,
})

/** A comment that was just written, as `actor` sees it. */
export const shownComment = (row: CommentRow, actor: Actor): RecordComment =>
  toComment(
    {
      ...row,
      createdAt: row.createdAt.toISOString(),
      editedAt: row.editedAt?.toISOString() ?? null,
    },
    actor,
  )
