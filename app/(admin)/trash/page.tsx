import { forbidden } from 'next/navigation'
import { Prefetched, prefetch } from '@/app/(admin)/prefetch'
import { GET as getTrash } from '@/app/api/trash/route'
import { loadListParams } from '@/components/data-table/list-params'
import { TrashList } from '@/components/trash/trash-list'
import { trashKey, trashPath } from '@/components/trash/trash-queries'
import { canForSome } from '@/lib/auth/rights'
import { pageContext } from '@/lib/http/page'

export const metadata = { title: 'Recently changed' }

export default async function TrashPage({ searchParams }: PageProps<'/trash'>) {
  const { actor } = await pageContext('signed-in')
  if (!canForSome(actor, 'delete')) forbidden()
  const params = await loadListParams(searchParams)
  const { entity: input } = await searchParams
  const entity = typeof input === 'string' ? input : null
  const trash = await prefetch(trashKey(params, entity), getTrash, {
    path: trashPath(params, entity),
  })
  return (
    <Prefetched of={[trash]}>
      <TrashList />
    </Prefetched>
  )
}
