'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { toast } from 'sonner'
import { describe } from '@/components/data-table/filter/field'
import { useUnsaved } from '@/components/drafts/unsaved'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Notice } from '@/components/ui/notice'
import { countOf, formatCount } from '@/components/ui/number'
import { useTimeZone } from '@/components/ui/use-time-zone'
import { ApiError } from '@/lib/http/client'
import type { Image } from '@/lib/images/contract'
import { LABEL_FIELDS, LabelFields } from './edit-labels/label-fields'
import { refreshImages } from './image-queries'
import { IMAGE_FIELDS } from './images-search'
import {
  type ImageSelection,
  type LabelChange,
  type LabelInput,
  type LabelsEdited,
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
  const dryRun = useLabelDryRun(selection, change)
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
        <>
          <Button disabled={edit.isPending} onClick={close}>
            Cancel
          </Button>
          <Button
            type="submit"
            form="edit-labels"
            variant="primary"
            busy={edit.isPending}
            disabled={!isReady}
          >
            Edit {what}
          </Button>
        </>
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
        {edit.error && (
          <Notice tone="destructive" role="alert" title="The labels were not changed">
            {edit.error.message}
          </Notice>
        )}
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
function LabelPreview({ data, error, isRunning, again }: ReturnType<typeof useLabelDryRun>) {
  return (
    <section
      aria-label="Preview"
      aria-busy={isRunning}
      className="grid min-h-10 content-start gap-3"
    >
      <p role="status" className="text-[13px] text-muted-foreground">
        {isRunning ? 'Checking every image…' : data ? <Counts {...data} /> : !error && NOTHING_YET}
      </p>
      {error && !isPlaced(error) && (
        <Notice
          tone="destructive"
          role="alert"
          actions={
            <Button size="sm" onClick={again}>
              Try again
            </Button>
          }
        >
          {error.message}
        </Notice>
      )}
    </section>
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

const TYPING_MS = 350

/** Runs an edit without effect when its input is complete and has not changed for a moment. */
function useLabelDryRun(selection: ImageSelection, change: LabelChange | null) {
  const text = change && JSON.stringify(change)
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['dry-label-edit', selection, text],
    queryFn: ({ signal }) =>
      sendLabelEdit({ selection, change: change ?? {} }, { dryRun: true, signal }),
    enabled: text !== null && text === settled,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return {
    data: isFetching ? undefined : data,
    error: isFetching ? null : error,
    isRunning: text !== null && (text !== settled || isFetching),
    again: () => void refetch(),
  }
}
