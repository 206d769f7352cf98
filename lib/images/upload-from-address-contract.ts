import { z } from 'zod'
import { strictObject } from '@/lib/values/strict-object'
import { uploadForm, uploadOptionsSchema } from './contract'

const { namespace, folder, assetId, filename, replaces, ifExists } = uploadForm.shape

/** Body of `POST /api/images/upload-from-address`: the fields of an upload, with `url` for `file`. */
export const uploadFromAddressBody = strictObject({
  url: z
    .string()
    .min(1, 'must not be empty')
    .meta({ description: 'Of the image, over HTTP or HTTPS, on the public internet' }),
  ...{ namespace, folder, assetId, filename, replaces, ifExists },
  options: uploadOptionsSchema.optional(),
})
export type UploadFromAddressBody = z.infer<typeof uploadFromAddressBody>
