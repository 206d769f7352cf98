import { ApiError } from '@/lib/http/client'
import { upload } from '@/lib/http/upload'
import type { Image } from '@/lib/images/contract'

/** The folder, id and labels of an upload. */
export type Target = {
  folder: string
  /** Empty: the server generates one. */
  assetId: string
  tags: readonly string[]
  context: Record<string, string>
  /** The `fileId` of the image whose place it takes; `folder` and `assetId` are that image's. */
  replaces?: string
  /** Another image of this folder and id is left alone: throws what `existingOf` reads. */
  mayReplace?: boolean
}

type Options = { onProgress?: (sent: number) => void; signal?: AbortSignal }
export type SentImage = {
  image: Image
  /** The older image of the folder made from the same bytes. */
  duplicateOf: string | null
}

/** Uploads one image; an image of the same folder and id is replaced unless it may not be. Throws as `upload` does. */
export async function sendImage(
  file: File,
  { folder, assetId, tags, context, replaces, mayReplace = true }: Target,
  { onProgress, signal }: Options = {},
): Promise<SentImage> {
  const form = new FormData()
  if (folder) form.append('namespace', folder)
  if (assetId) form.append('assetId', assetId)
  if (replaces) form.append('replaces', replaces)
  if (!mayReplace) form.append('ifExists', 'refuse')
  form.append('options', JSON.stringify({ tags, context }))
  // The fields come first: the server reads the form in order.
  form.append('file', file)
  const { body } = await upload<{ data: [Image]; meta: { duplicateOf?: string } }>({
    path: '/api/images/upload',
    form,
    onProgress,
    signal,
  })
  return { image: body.data[0], duplicateOf: body.meta.duplicateOf ?? null }
}

/** The `fileId` of the image because of which an upload was refused; undefined for other errors. */
export function existingOf(error: unknown): string | undefined {
  const existing = error instanceof ApiError && error.status === 409 && error.meta.existing
  return typeof existing === 'string' ? existing : undefined
}
