import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useUnsaved } from '@/components/drafts/unsaved'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { Form } from '@/components/ui/form'
import { FormField } from '@/components/ui/form-field'
import { Input } from '@/components/ui/input'
import { Notice } from '@/components/ui/notice'
import { toast } from '@/components/ui/toast'
import { ApiError } from '@/lib/http/client'
import type { Image } from '@/lib/images/contract'
import { refreshImages } from './image-queries'
import { sendLabelEdit } from './label-change'

/** Says that an image has no alternative text, and takes one. */
export function MissingAlt({ image }: { image: Image }) {
  const [adding, setAdding] = useState(false)
  const mayAdd = useCan('images:upload')
  if (image.context.alt) return null
  if (adding) return <AltForm fileId={image.fileId} onClose={() => setAdding(false)} />
  return (
    <Notice
      tone="warning"
      title="No alternative text"
      actions={
        mayAdd && (
          <Button size="sm" onClick={() => setAdding(true)}>
            Add alternative text
          </Button>
        )
      }
    >
      It stands for the image where it can’t be seen.
    </Notice>
  )
}

function AltForm({ fileId, onClose }: { fileId: string; onClose: () => void }) {
  const [alt, setAlt] = useState('')
  const what = 'The alternative text is not saved yet.'
  const unsaved = useUnsaved({ what, dirty: alt !== '' })
  const save = useMutation({
    mutationFn: () => addAlt(fileId, alt.trim()),
    onSuccess: async () => {
      unsaved.settle()
      await refreshImages()
      toast.success('The alternative text is saved')
    },
  })
  const refusal = save.error instanceof ApiError ? save.error : null
  return (
    <div data-labels className="rounded-lg border px-3 py-2.5">
      <Form
        error={refusal}
        fields={['setContext']}
        onSubmit={() => save.mutate()}
        className="gap-2"
      >
        <FormField
          label="Alternative text"
          name="setContext"
          hint="What the image shows, in a sentence."
        >
          <Input autoFocus autoComplete="off" value={alt} onValueChange={setAlt} />
        </FormField>
        <div className="flex gap-2">
          <Button
            type="submit"
            size="sm"
            variant="primary"
            busy={save.isPending}
            disabled={alt.trim() === ''}
          >
            Save
          </Button>
          <Button size="sm" variant="ghost" onClick={() => unsaved.leave(onClose)}>
            Cancel
          </Button>
        </div>
      </Form>
    </div>
  )
}

/** Other labels stay as they are, whoever changes them meanwhile. */
const addAlt = (fileId: string, alt: string) =>
  sendLabelEdit({ selection: { ids: [fileId] }, change: { setContext: { alt } } }, { expected: 1 })
