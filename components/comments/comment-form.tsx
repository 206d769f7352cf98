import { useMutation } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { DraftNotice } from '@/components/drafts/draft-notice'
import { useDraft } from '@/components/drafts/use-draft'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { MentionBox } from './mention-box'

type Props = {
  box: RefObject<HTMLTextAreaElement | null>
  /** Under which the text is kept until it is sent. */
  form: string
  /** A sentence: `The comment on Airport LHR is not sent yet.` */
  what: string
  /** As it is stored. */
  stored?: string
  version?: string
  label: string
  action: string
  commenters: readonly string[]
  send: (text: string) => Promise<unknown>
  onSent?: () => void
  onCancel?: () => void
}

/** The text of a new comment, or of one that is changed. */
export function CommentForm({ box, form, what, stored = '', version, label, ...props }: Props) {
  const { action, commenters, send, onSent, onCancel } = props
  const [text, setText] = useState(stored)
  const draft = useDraft<string>({
    ...{ form, what, version },
    values: text === stored ? null : text,
    restore: setText,
    reset: () => setText(stored),
  })
  const sending = useMutation({
    mutationFn: send,
    onSuccess: () => {
      draft.settle()
      setText(stored)
      onSent?.()
    },
  })
  const isEmpty = text.trim() === ''
  const submit = () => {
    if (!isEmpty && !sending.isPending) sending.mutate(text)
  }
  return (
    <form
      method="post"
      aria-label={label}
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <DraftNotice restored={draft.restored} />
      <MentionBox
        {...{ box, label, commenters }}
        hint="@ mentions somebody by email, Ctrl Enter sends"
        value={text}
        onChange={setText}
        onSubmit={submit}
      />
      {sending.error && (
        <Notice tone="destructive" role="alert">
          {sending.error.message}
        </Notice>
      )}
      <div className="flex justify-end gap-2">
        {onCancel && <Button onClick={() => draft.leave(onCancel)}>Cancel</Button>}
        <Button type="submit" variant="primary" busy={sending.isPending} disabled={isEmpty}>
          {action}
        </Button>
      </div>
    </form>
  )
}
