import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import { useUnsaved } from '@/components/drafts/unsaved'
import { Button } from '@/components/ui/button'
import type { FormError } from '@/components/ui/form'
import { FormDialog } from '@/components/ui/form-dialog'
import { FormField } from '@/components/ui/form-field'
import { NameInput } from '@/components/ui/input'
import { toast } from '@/components/ui/toast'
import { ApiError, api } from '@/lib/http/client'
import type { Image } from '@/lib/images/contract'
import { facetsOptions, refreshImages } from '../image-queries'

type Props = {
  /** What was pasted. */
  url: string
  /** Folder that the list shows. */
  folder: string
  onClose: () => void
  onOpen: (fileId: string) => void
}

/** Uploads an image that the server loads from an address. */
export default function UploadFromAddress({ url, folder, onClose, onOpen }: Props) {
  const [input, setInput] = useState({ url, namespace: folder, assetId: '' })
  const folders = useQuery(facetsOptions).data?.folders ?? []
  const listId = useId()
  const loading = useMutation({
    mutationFn: (replaces: string | null) => load(input, replaces),
    onSuccess: async ({ image, duplicateOf }) => {
      unsaved.settle()
      onOpen(image.fileId)
      toast.success(`“${image.name}” is uploaded`, {
        description: duplicateOf ? 'The folder has an identical image already.' : undefined,
      })
      await refreshImages()
    },
  })
  const isChanged = input.url !== url || input.namespace !== folder || input.assetId !== ''
  const unsaved = useUnsaved({ what: 'The image is not uploaded yet.', dirty: isChanged })
  const field = (name: keyof typeof input) => ({
    value: input[name],
    onValueChange: (value: string) => setInput({ ...input, [name]: value }),
    autoComplete: 'off',
    spellCheck: false,
  })
  const error = useMemo(() => refusalOf(loading.error), [loading.error])
  const existing = existingOf(loading.error)
  return (
    <FormDialog
      stays={loading.isPending}
      onClose={() => unsaved.leave(onClose)}
      title="Upload from an address"
      description="The server loads the image from the public internet."
      submitLabel="Upload"
      attempt={loading}
      error={error}
      disabled={input.url.trim() === ''}
      fields={FIELDS}
      onSubmit={() => loading.mutate(null)}
      remedy={
        existing && (
          <Button size="sm" onClick={() => loading.mutate(existing)}>
            Replace it
          </Button>
        )
      }
    >
      <FormField label="Address of the image" name="url" required>
        <NameInput {...field('url')} type="url" placeholder="https://example.com/boot.jpg" />
      </FormField>
      <FormField
        label="Folder"
        name="namespace"
        hint="The namespace, with / between its levels. Optional."
      >
        <NameInput {...field('namespace')} list={listId} placeholder="shop/shoes" />
      </FormField>
      <datalist id={listId}>
        {folders
          .filter(({ value }) => value)
          .map(({ value }) => (
            <option key={value} value={value} />
          ))}
      </datalist>
      <FormField label="Asset ID" name="assetId" hint="The name in the folder. Generated if empty.">
        <NameInput {...field('assetId')} />
      </FormField>
    </FormDialog>
  )
}

const FIELDS = ['url', 'namespace', 'assetId'] as const

/** What the server finds out on loading is about the address, whatever its status. */
function refusalOf(error: Error | null): FormError | null {
  if (!(error instanceof ApiError)) return error
  if (existingOf(error))
    return { message: 'The folder has an image of this name. Choose another one, or replace it.' }
  const isOfAddress = error.validations.length === 0 && OF_ADDRESS.includes(error.status)
  return {
    message: error.message,
    errorOf: (name) =>
      error.errorOf(name) ?? (isOfAddress && name === 'url' ? error.message : undefined),
  }
}

/** The `fileId` of the image that has the name already. */
const existingOf = (error: Error | null): string | null =>
  error instanceof ApiError && typeof error.meta.existing === 'string' ? error.meta.existing : null

/** Too large, of another type, not loaded, not in time. */
const OF_ADDRESS: readonly number[] = [413, 415, 502, 504]

type Input = { url: string; namespace: string; assetId: string }

async function load({ url, namespace, assetId }: Input, replaces: string | null) {
  const { data, meta } = await api<Image>('/api/images/upload-from-address', {
    method: 'POST',
    body: {
      url: url.trim(),
      ...(namespace.trim() && { namespace: namespace.trim() }),
      ...(assetId.trim() && { assetId: assetId.trim() }),
      ...(replaces ? { replaces } : { ifExists: 'refuse' }),
    },
  })
  return { image: data[0] as Image, duplicateOf: meta.duplicateOf as string | undefined }
}
