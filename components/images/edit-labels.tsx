import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { describe } from '@/components/data-table/filter/field'
import { useUnsaved } from '@/components/drafts/unsaved'
import { DryRunPreview, useDryRun } from '@/components/entities/bulk-edit/dry-run'
import { Dialog, DialogButtons } from '@/components/ui/dialog'
import { FormField } from '@/components/ui/form-field'
import { Refusal } from '@/components/ui/notice'
import { countOf, formatCount } from '@/components/ui/number'
import { TagInput } from '@/components/ui/tag-input'
import { toast } from '@/components/ui/toast'
import { useTimeZone } from '@/components/ui/use-time-zone'
import { ApiError } from '@/lib/http/client'
import type { Image } from '@/lib/images/contract'
import { ContextEditor } from './context-editor'
import { facetsOptions, refreshImages } from './image-queries'
import { IMAGE_FIELDS } from './images-search'
import {
  type ImageSelection,
  type LabelChange,
  type LabelInput,
  type LabelsEdited,
  labelFaults,
  NO_LABELS,
  sendLabelEdit,
  toLabelChange,
} from './label-change'

type Props = {
  selection: ImageSelection
  /** As far as it is known. */
  count: number | null
  /** Those of them that are on the page. */
  images: readonly Image[]
  onClose: () => void
  onEdited: () => void
}

/**
 * Changes tags and context of several images. What would happen is counted as soon as something is entered; the number
 * of images is sent as `expected`, so nothing is changed when it is another one by then.
 */
export default function EditLabels({ selection, count, images, onClose, onEdited }: Props) {
  const [input, setInput] = useState<LabelInput>(NO_LABELS)
  const change = toLabelChange(input)
  const dryRun = useDryRun({
    queryKey: ['dry-label-edit', selection],
    input: change && JSON.stringify(change),
    run: (signal) => sendLabelEdit({ selection, change: change ?? {} }, { dryRun: true, signal }),
  })
  const edit = useMutation({
    mutationFn: (asked: { change: LabelChange; expected: number }) =>
      sendLabelEdit({ selection, change: asked.change }, { expected: asked.expected }),
    onSuccess: async (edited) => {
      unsaved.settle()
      onEdited()
      onClose()
      announce(edited)
      await refreshImages()
    },
    onError: () => dryRun.again(),
  })
  const unsaved = useUnsaved({ what: 'The labels are not saved yet.', dirty: input !== NO_LABELS })
  const found = dryRun.data?.effected ?? count
  const what = found === null ? 'images' : countOf(found, 'image')
  const isReady = (dryRun.data?.updated ?? 0) > 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && change && dryRun.data) edit.mutate({ change, expected: dryRun.data.effected })
  }
  const close = () => unsaved.leave(onClose)
  return (
    <Dialog
      size="lg"
      stays={edit.isPending}
      onClose={close}
      title={`Edit labels of ${what}`}
      description="All are changed in one step, or none."
      footer={
        <DialogButtons
          onCancel={close}
          cancelDisabled={edit.isPending}
          form="edit-labels"
          busy={edit.isPending}
          disabled={!isReady}
          label={`Edit ${what}`}
        />
      }
    >
      <form id="edit-labels" noValidate className="grid gap-4" onSubmit={submit}>
        {'query' in selection && <Conditions of={selection.query} />}
        <LabelFields
          {...{ input, images }}
          onChange={(part) => setInput({ ...input, ...part })}
          error={dryRun.error instanceof ApiError ? dryRun.error : null}
        />
        <LabelPreview {...dryRun} />
        <Refusal of={edit.error} title="The labels were not changed" />
      </form>
    </Dialog>
  )
}

/** Which images are changed, in the words of the filter. */
function Conditions({ of }: { of: Extract<ImageSelection, { query: unknown }>['query'] }) {
  const timeZone = useTimeZone()
  if (of.length === 0) return <p className="text-[13px]">All images, whatever their page.</p>
  return (
    <ul aria-label="Conditions of the edit" className="list-disc pl-4 text-[13px] break-words">
      {of.map((condition) => (
        <li key={JSON.stringify(condition)}>{describe(condition, IMAGE_FIELDS, timeZone)}</li>
      ))}
    </ul>
  )
}

function announce({ updated, pending }: LabelsEdited): void {
  const later = `${countOf(pending, 'image')} will have them at the storage provider later.`
  toast.success(`Labels of ${countOf(updated, 'image')} are changed`, {
    description: pending > 0 ? later : undefined,
  })
}

/** What the edit would do, or why it can't be done. */
function LabelPreview(dryRun: ReturnType<typeof useDryRun<LabelsEdited>>) {
  const { data, error, isRunning, again } = dryRun
  const numbers = data ? <Counts {...data} /> : !error && NOTHING_YET
  return (
    <DryRunPreview
      className="min-h-10"
      status={isRunning ? 'Checking every image…' : numbers}
      error={error && !isPlaced(error) ? error : null}
      {...{ isRunning, again }}
    />
  )
}

const NOTHING_YET = 'What would change is counted here before anything is changed.'

/** It is shown at a field. */
const isPlaced = (error: Error) =>
  error instanceof ApiError && LABEL_FIELDS.some((field) => error.errorOf(field))

const Counts = ({ effected, updated, unchanged }: LabelsEdited) => (
  <>
    Of {countOf(effected, 'image')},{' '}
    <strong className="font-medium text-foreground">{formatCount(updated)}</strong>{' '}
    {updated === 1 ? 'changes' : 'change'}
    {unchanged > 0 &&
      `; ${formatCount(unchanged)} ${unchanged === 1 ? 'has' : 'have'} these labels already`}
    .
  </>
)

type LabelFieldsProps = {
  input: LabelInput
  onChange: (part: Partial<LabelInput>) => void
  /** Those of the selected images that are on the page: what they have can be removed. */
  images: readonly Image[]
  /** Why the server refuses the change. */
  error: ApiError | null
}

/** Tags to add and remove, context to set and keys to remove. */
function LabelFields({ input, onChange, images, error }: LabelFieldsProps) {
  const known = useQuery(facetsOptions).data?.tags.map(({ value }) => value) ?? []
  const faults = labelFaults(input)
  const keys = unique(images.flatMap(({ context }) => Object.keys(context)))
  const held = unique(images.flatMap(({ tags }) => tags))
  const control = (field: 'addTags' | 'removeTags' | 'removeKeys', suggestions: string[]) => ({
    value: input[field],
    onValueChange: (value: string[]) => onChange({ [field]: value }),
    suggestions,
  })
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <FormField label="Add tags" error={error?.errorOf('addTags')}>
          <TagInput {...control('addTags', known)} placeholder="Type a tag and press Enter" />
        </FormField>
        <FormField label="Remove tags" error={faults.removeTags ?? error?.errorOf('removeTags')}>
          <TagInput
            {...control('removeTags', held.length > 0 ? held : known)}
            placeholder="Type a tag and press Enter"
          />
        </FormField>
      </div>
      <ContextEditor
        legend="Set context"
        hint="Replaces the value of a key that an image has already. Other keys stay."
        pairs={input.pairs}
        onChange={(pairs) => onChange({ pairs })}
        error={error?.errorOf('setContext')}
      />
      <FormField label="Remove context" error={faults.removeKeys ?? error?.errorOf('unsetContext')}>
        <TagInput {...control('removeKeys', keys)} placeholder="Type a key and press Enter" />
      </FormField>
    </>
  )
}

const unique = (all: readonly string[]) => [...new Set(all)]

/** The fields that show what the server finds wrong with them. */
const LABEL_FIELDS = ['addTags', 'removeTags', 'setContext', 'unsetContext'] as const
