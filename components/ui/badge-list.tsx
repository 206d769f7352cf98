import { Badge } from './status'

/** So many have a place. */
const FEW = 2

type Props = { words: readonly string[]; title?: string }

/** Words on one line: the first ones, and how many more there are. `title`: on hover, by default all words. */
export function BadgeList({ words, title = words.join('\n') }: Props) {
  const shown = words.slice(0, words.length === FEW + 1 ? FEW + 1 : FEW)
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
