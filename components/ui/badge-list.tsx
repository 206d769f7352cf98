import { Badge } from './status'

type Props = { words: readonly string[]; max?: number; title?: string }

/** Words on one line: the first ones, and how many more there are. `title`: on hover, by default all words. */
export function BadgeList({ words, max = 2, title = words.join('\n') }: Props) {
  const shown = words.slice(0, words.length === max + 1 ? max + 1 : max)
  const more = words.length - shown.length
  return (
    <span className="flex min-w-0 gap-1" title={title}>
      {shown.map((word, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same word may stand there twice
        <Badge key={index} className="min-w-0 shrink">
          <span className="truncate">{word}</span>
        </Badge>
      ))}
      {more > 0 && (
        <>
          <Badge className="shrink-0">+{more}</Badge>
          <span className="sr-only">{words.slice(shown.length).join(', ')}</span>
        </>
      )}
    </span>
  )
}
