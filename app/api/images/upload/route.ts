import { appUrl } from '@/lib/auth/app-url'
import { AppError } from '@/lib/errors'
import { refuseOtherFiles } from '@/lib/http/require-file'
import { methods, route } from '@/lib/http/route'
import { imageSchema, uploadForm, uploadMeta } from '@/lib/images/contract'
import { readUploadFields } from '@/lib/images/read-upload-fields'
import { toImage } from '@/lib/images/to-image'
import { uploadImage } from '@/lib/images/upload-image'
import { listOf } from '@/lib/openapi/responses'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'uploadImage',
      summary: 'Upload an image',
      description:
        'An image of the same namespace and asset id is replaced and keeps its id; its former address goes on working.',
      responses: { 201: listOf(imageSchema, { meta: uploadMeta }) },
      fails: ['conflict', 'upstream_failed', 'upstream_timeout'],
      form: uploadForm,
    },
    access: 'images:upload',
    upload: ({ settings, storage }) => ({
      maxFileBytes: settings.MAX_IMAGE_BYTES,
      folder: storage.local.temporary,
    }),
    handle: async ({ requestId, deps, actor, upload }) => {
      if (!upload)
        throw new AppError('unsupported_media_type', 'Send the image as multipart/form-data')
      refuseOtherFiles(upload)
      const fields = readUploadFields(upload.fields)
      if (!upload.file) throw noFile()
      const saved = await uploadImage(deps, { actor, requestId }, upload.file, fields)
      const { image, duplicateOf } = saved
      const meta = duplicateOf ? { duplicateOf } : {}
      return { status: 201, data: [toImage(image, appUrl(deps.settings))], meta }
    },
  }),
})

const noFile = () =>
  new AppError('invalid_input', 'The form needs the image in its part "file"', {
    validations: [{ field: 'file', error: 'Required' }],
  })
