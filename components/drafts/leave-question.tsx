import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { useOwnEscape } from '@/components/ui/use-own-escape'
import type { QuestionWords } from './unsaved'

type Props = {
  what: readonly string[]
  words?: QuestionWords
  onKeep: () => void
  onDiscard: () => void
}

const WORDS: QuestionWords = {
  title: 'Discard unsaved changes?',
  keep: 'Keep editing',
  discard: 'Discard changes',
}

/** Names the input that would be lost. */
export default function LeaveQuestion({ what, words = WORDS, onKeep, onDiscard }: Props) {
  useOwnEscape(onKeep)
  return (
    <ConfirmDialog
      onClose={onKeep}
      title={words.title}
      description={
        what.length === 1 ? (
          what[0]
        ) : (
          <ul className="grid gap-1">
            {what.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        )
      }
      cancelLabel={words.keep}
      confirmLabel={words.discard}
      onConfirm={onDiscard}
    />
  )
}
