import { forbidden } from 'next/navigation'
import { Prefetched, prefetch } from '@/app/(admin)/prefetch'
import { GET as getImports } from '@/app/api/imports/route'
import { ImportsList } from '@/components/imports/imports-list'
import { canForSome } from '@/lib/auth/rights'
import { pageContext } from '@/lib/http/page'
import { IMPORTS } from '@/lib/query/keys'

export const metadata = { title: 'Imports' }

export default async function ImportsPage() {
  const { actor } = await pageContext('signed-in')
  if (!canForSome(actor, 'write') && !canForSome(actor, 'update')) forbidden()
  const imports = await prefetch(IMPORTS.key, getImports, { path: IMPORTS.path })
  return (
    <Prefetched of={[imports]}>
      <ImportsList />
    </Prefetched>
  )
}
