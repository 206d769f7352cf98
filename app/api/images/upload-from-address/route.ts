import { rm } from 'node:fs/promises'
import { appUrl } from '@/lib/auth/app-url'
import { methods, route } from '@/lib/http/route'
import { storeRemoteFile } from '@/lib/http/store-remote-file'
import {
  imageSchema,
  type UploadFromAddressBody,
  uploadFromAddressBody,
  uploadMeta,
} from '@/lib/images/contract'
import { readUploadFields } from '@/lib/images/read-upload-fields'
import { toImage } from '@/lib/images/to-image'
import { uploadImage } from '@/lib/images/upload-image'
import { listOf } from '@/lib/openapi/responses'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'uploadImageFromAddress',
      summary: 'Upload an image from an address',
      description:
        'The server loads the image, from the public internet only, with at most three redirects and within 20 seconds. The rest is as in an upload.',
      responses: { 201: listOf(imageSchema, { meta: uploadMeta }) },
      fails: [
        'conflict',
        'too_large',
        'unsupported_media_type',
        'upstream_failed',
        'upstream_timeout',
      ],
      example: { url: 'https://example.com/boot.jpg', namespace: 'shop', assetId: 'boot' },
    },
    access: 'images:upload',
    body: uploadFromAddressBody,
    load: 'heavy',
    handle: async ({ requestId, deps, actor, body }) => {
      const { settings, storage } = deps
      const fields = readUploadFields(textsOf(body))
      const file = await storeRemoteFile(deps, body.url, {
        maxFileBytes: settings.MAX_IMAGE_BYTES,
        folder: storage.local.temporary,
      })
      try {
        const saved = await uploadImage(deps, { actor, requestId }, file, fields)
        const meta = saved.duplicateOf ? { duplicateOf: saved.duplicateOf } : {}
        return { status: 201, data: [toImage(saved.image, appUrl(settings))], meta }
      } finally {
        await rm(file.path, { force: true })
      }
    },
  }),
})

/** As the form of an upload has them. */
function textsOf({ url: _, options, ...texts }: UploadFromAddressBody): Record<string, string> {
  const input = Object.entries(texts).filter(([, text]) => text !== undefined)
  return {
    ...(Object.fromEntries(input) as Record<string, string>),
    ...(options ? { options: JSON.stringify(options) } : {}),
  }
}
