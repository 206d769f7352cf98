import { methods, route } from '@/lib/http/route'
import { editImagesBody, editImagesMeta, editImagesQuery } from '@/lib/images/edit-contract'
import { editImages } from '@/lib/images/edit-images'
import { listOf } from '@/lib/openapi/responses'
import { effected } from '@/lib/records/contract'
import { conditionsOfBody } from '@/lib/search/read-input'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PATCH: route({
    doc: {
      id: 'changeImages',
      summary: 'Change tags and context of many images',
      description:
        'Adds and removes tags, sets and unsets keys of context; all other labels stay. All images or none. Conditions, `dryRun` and `expected` also need the right to read.',
      responses: { 200: listOf(effected, { meta: editImagesMeta }) },
      fails: ['not_found', 'conflict'],
      example: { query: [{ field: 'folder', operator: 'eq', value: 'shop' }], addTags: ['new'] },
    },
    access: 'images:upload',
    query: editImagesQuery,
    body: editImagesBody,
    load: 'heavy',
    handle: async ({ deps, actor, requestId, query, body }) => {
      const { ids, query: _, filters: __, ...change } = body
      const selection = ids ? { ids } : conditionsOfBody(body)
      const edit = { selection, change, ...query }
      const { count, updated, unchanged, pending } = await editImages(
        deps,
        { actor, requestId },
        edit,
      )
      const outcome = query.dryRun ? { dryRun: true } : pending > 0 ? { pending } : {}
      return { data: [{ effected: count }], meta: { updated, unchanged, ...outcome } }
    },
  }),
})
