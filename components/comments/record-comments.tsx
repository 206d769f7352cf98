import { useQuery } from '@tanstack/react-query'
import { MessageSquareIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import { Pager } from '@/components/ui/pager'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/state'
import { CommentEntry } from './comment-entry'
import { CommentForm } from './comment-form'
import { addComment, commentsOptions, PAGE_SIZE, refreshComments } from './comment-queries'

type Props = {
  entity: string
  /** The `persistenceId`. */
  id: string
}

/** What people remarked on a record, the last page first, and room for more. */
export default function RecordComments({ entity, id }: Props) {
  const box = useRef<HTMLTextAreaElement>(null)
  const [chosen, setPage] = useState<number | null>(null)
  const first = useQuery(commentsOptions(entity, id, 0))
  const total = first.data?.total ?? 0
  const last = Math.max(0, Math.ceil(total / PAGE_SIZE) - 1)
  const page = Math.min(chosen ?? last, last)
  const found = useQuery({ ...commentsOptions(entity, id, page), enabled: first.isSuccess })
  if (first.error) return <ErrorState of={first} />
  if (found.error) return <ErrorState of={found} />
  if (!found.data) return <Skeleton className="h-32" />
  const { comments } = found.data
  const commenters = peopleOf([...comments, ...(first.data?.comments ?? [])])
  return (
    <div className="grid gap-3">
      {total === 0 ? (
        <EmptyState icon={MessageSquareIcon} title="No comments yet" className="py-8">
          Everyone who may read this record can read and write them.
        </EmptyState>
      ) : (
        <ol aria-label="Comments" className="divide-y">
          {comments.map((comment) => (
            <CommentEntry
              key={comment.id}
              {...{ entity, id, comment, commenters }}
              onDeleted={() => box.current?.focus()}
            />
          ))}
        </ol>
      )}
      <Pager
        aria-label="Pages of the comments"
        page={page}
        size={PAGE_SIZE}
        total={total}
        onPage={setPage}
        text="comments"
      />
      <CommentForm
        box={box}
        form={`new comment ${entity} ${id}`}
        what={`The comment on ${entity} ${id} is not sent yet.`}
        label="New comment"
        action="Comment"
        commenters={commenters}
        send={async (text) => {
          await addComment(entity, id, text)
          setPage(null)
          await refreshComments(entity, id)
        }}
        onSent={() => box.current?.focus()}
      />
    </div>
  )
}

type Author = { author: { type: string; name: string } }

const peopleOf = (comments: readonly Author[]): string[] => [
  ...new Set(
    comments.filter(({ author }) => author.type === 'user').map(({ author }) => author.name),
  ),
]
