import { Folded } from '@/components/ui/folded'

/** What an empty line takes of the room of a text that folds. */
const LINE_CHARACTERS = 40

type Props = { version: string | null; changes?: string | undefined }

/** What the author of a version says is new in it: as it is written, since an archive may come from anyone. */
export function WhatsNew({ version, changes }: Props) {
  if (!changes) return null
  const title = `What’s new${version ? ` in ${version}` : ''}`
  return (
    <section aria-label={title} className="grid gap-1 rounded-lg border px-3 py-2.5">
      <h4 className="font-medium">{title}</h4>
      <Folded characters={changes.length + changes.split('\n').length * LINE_CHARACTERS}>
        <p dir="auto" className="text-[13px] break-words whitespace-pre-wrap">
          {changes}
        </p>
      </Folded>
    </section>
  )
}
