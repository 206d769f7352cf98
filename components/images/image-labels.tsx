import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { DraftNotice } from '@/components/drafts/draft-notice'
import { useDraft } from '@/components/drafts/use-draft'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { Facts } from '@/components/ui/facts'
import { Refusal } from '@/components/ui/notice'
import { Badge } from '@/components/ui/status'
import { TagInput } from '@/components/ui/tag-input'
import { toast } from '@/components/ui/toast'
import { useCorrections, useFocusOnRefusal } from '@/components/ui/use-corrections'
import { ApiError } from '@/lib/http/client'
import type { Image } from '@/lib/images/contract'
import { ContextEditor } from './context-editor'
import { faultOf, type Pair, toContext, toPairs } from './context-pairs'
import { facetsOptions, patchImage, refreshImages } from './image-queries'

/** Tags and context: a form for users who may change them, else facts. */
export const ImageLabels = ({ image }: { image: Image }) =>
  useCan('images:upload') ? <LabelsForm image={image} /> : <Labels image={image} />

// No <form>: the panel would open with the focus on its first control, past the picture.
function LabelsForm({ image }: { image: Image }) {
  const [tags, setTags] = useState(image.tags)
  const [pairs, setPairs] = useState(() => toPairs(image.context))
  const known = useQuery(facetsOptions).data?.tags.map(({ value }) => value)
  const patch = useMutation({
    mutationFn: () => patchImage(image.fileId, { tags, context: toContext(pairs) }),
    onSuccess: async () => {
      input.settle()
      await refreshImages()
      toast.success('Tags and context are saved')
    },
  })
  const error = patch.error instanceof ApiError ? patch.error : null
  const placed = error?.errorOf('tags') ?? error?.errorOf('context')
  const changed =
    JSON.stringify([tags, toContext(pairs)]) !== JSON.stringify([image.tags, image.context])
  const reset = () => {
    setTags(image.tags)
    setPairs(toPairs(image.context))
  }
  const input = useDraft<{ tags: string[]; pairs: Pair[] }>({
    form: `image ${image.fileId}`,
    what: `The tags and context of ${image.name} are not saved yet.`,
    values: changed ? { tags, pairs } : null,
    version: image.updatedAt,
    restore: (kept) => {
      setTags(kept.tags)
      setPairs(kept.pairs)
    },
    reset,
  })
  const section = useRef<HTMLElement>(null)
  useFocusOnRefusal(section, error)
  const { isCorrected, correct } = useCorrections(error)
  const errorOf = (name: string) => (isCorrected(name) ? undefined : error?.errorOf(name))
  return (
    <section
      ref={section}
      data-labels
      aria-label="Tags and context"
      className="grid gap-4 border-t pt-4"
    >
      <DraftNotice restored={input.restored} />
      {!placed && <Refusal of={patch.error} />}
      <div className="grid gap-1.5">
        <span className="text-[13px] font-medium">Tags</span>
        <TagInput
          aria-label="Tags"
          value={tags}
          onValueChange={(next) => {
            correct('tags')
            setTags(next)
          }}
          suggestions={known}
          placeholder="Type a tag and press Enter"
          invalid={Boolean(errorOf('tags'))}
        />
        {errorOf('tags') && (
          <p role="alert" className="text-xs text-destructive">
            {errorOf('tags')}
          </p>
        )}
      </div>
      <ContextEditor
        pairs={pairs}
        onChange={(next) => {
          correct('context')
          setPairs(next)
        }}
        error={errorOf('context')}
      />
      <div className="flex gap-2">
        <Button
          variant="primary"
          busy={patch.isPending}
          disabled={!changed || pairs.some((pair) => faultOf(pair, pairs))}
          onClick={() => patch.mutate()}
        >
          Save tags and context
        </Button>
        {changed && (
          <Button variant="ghost" onClick={reset}>
            Discard
          </Button>
        )}
      </div>
    </section>
  )
}

function Labels({ image: { tags, context } }: { image: Image }) {
  const entries = Object.entries(context)
  return (
    <section aria-label="Tags and context" className="grid gap-4 border-t pt-4">
      <Facts
        facts={[
          {
            label: 'Tags',
            value:
              tags.length > 0 ? (
                <span className="flex flex-wrap gap-1">
                  {tags.map((tag) => (
                    <Badge key={tag}>{tag}</Badge>
                  ))}
                </span>
              ) : null,
          },
          ...entries.map(([label, value]) => ({ label, value })),
        ]}
      />
    </section>
  )
}
