import { forbidden } from 'next/navigation'
import { Prefetched, prefetch } from '@/app/(admin)/prefetch'
import { GET as getExports } from '@/app/api/exports/route'
import { ExportsList } from '@/components/exports/exports-list'
import { canForSome } from '@/lib/auth/rights'
import { pageContext } from '@/lib/http/page'
import { EXPORTS } from '@/lib/query/keys'

export const metadata = { title: 'Exports' }

export default async function ExportsPage() {
  const { actor } = await pageContext('signed-in')
  if (!canForSome(actor, 'read')) forbidden()
  const exports = await prefetch(EXPORTS.key, getExports, { path: EXPORTS.path })
  return (
    <Prefetched of={[exports]}>
      <ExportsList />
    </Prefetched>
  )
}
