import { useMutation } from '@tanstack/react-query'
import { PencilIcon, Trash2Icon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { AuditActor } from '@/components/audit/audit-actor'
import { useCan } from '@/components/shell/viewer'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { Folded } from '@/components/ui/folded'
import { Time } from '@/components/ui/time'
import type { RecordComment } from '@/lib/comments/contract'
import { CommentForm } from './comment-form'
import { changeComment, deleteComment, refreshComments } from './comment-queries'

type Props = {
  entity: string
  /** The `persistenceId` of the record. */
  id: string
  comment: RecordComment
  commenters: readonly string[]
  onDeleted: () => void
}

/** A comment with what its author, or an administrator, may do with it. */
export function CommentEntry({ entity, id, comment, commenters, onDeleted }: Props) {
  const { text, author, mine, createdAt, editedAt } = comment
  const [isEditing, setEditing] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const mayDelete = useCan('users:manage') || mine
  const edit = useRef<HTMLButtonElement>(null)
  const close = () => {
    flushSync(() => setEditing(false))
    edit.current?.focus()
  }
  return (
    <li className="grid gap-1.5 py-3">
      <div className="flex min-w-0 items-start gap-2 text-[13px]">
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="min-w-0 font-medium">
            <AuditActor actorType={author.type} actorName={author.name} />
          </span>
          <span className="tabular text-muted-foreground">
            <Time value={createdAt} relative />
            {editedAt && <span title={editedAt}> · edited</span>}
          </span>
        </span>
        {mine && !isEditing && (
          <Button
            ref={edit}
            variant="ghost"
            size="icon-sm"
            aria-label="Edit comment"
            onClick={() => setEditing(true)}
          >
            <PencilIcon aria-hidden />
          </Button>
        )}
        {mayDelete && !isEditing && (
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="Delete comment"
            onClick={() => setAsking(true)}
          >
            <Trash2Icon aria-hidden />
          </Button>
        )}
      </div>
      {isEditing ? (
        <EditComment {...{ entity, id, comment, commenters }} onClose={close} />
      ) : (
        <Folded characters={text.length}>
          <p dir="auto" className="break-words whitespace-pre-wrap">
            {text}
          </p>
        </Folded>
      )}
      {isAsking && (
        <DeleteComment {...{ entity, id, comment, onDeleted }} onClose={() => setAsking(false)} />
      )}
    </li>
  )
}

type EditProps = Omit<Props, 'onDeleted'> & { onClose: () => void }

function EditComment({ entity, id, comment, commenters, onClose }: EditProps) {
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <CommentForm
      box={box}
      form={`comment ${comment.id}`}
      what={`The changed comment on ${entity} ${id} is not saved yet.`}
      stored={comment.text}
      version={comment.editedAt ?? comment.createdAt}
      label="Change comment"
      action="Save"
      commenters={commenters}
      send={async (text) => {
        await changeComment(entity, id, comment.id, text)
        await refreshComments(entity, id)
      }}
      onSent={onClose}
      onCancel={onClose}
    />
  )
}

type DeleteProps = Omit<Props, 'commenters'> & { onClose: () => void }

function DeleteComment({ entity, id, comment, onDeleted, onClose }: DeleteProps) {
  const deletion = useMutation({
    mutationFn: () => deleteComment(entity, id, comment.id),
    onSuccess: async () => {
      onClose()
      await refreshComments(entity, id)
      onDeleted()
    },
  })
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Delete this comment?"
      description={
        comment.mine
          ? 'It cannot be restored.'
          : `It is by ${comment.author.name} and cannot be restored.`
      }
      confirmLabel="Delete comment"
      onConfirm={() => deletion.mutate()}
      attempt={deletion}
    />
  )
}
