import { Prefetched, prefetch, prefetchOne } from '@/app/(admin)/prefetch'
import { GET as facets } from '@/app/api/images/facets/route'
import { POST as search } from '@/app/api/images/search/route'
import { loadListParams } from '@/components/data-table/list-params'
import { FACETS_KEY, imagesKey, imagesSearch } from '@/components/images/images-search'
import { ImagesView } from '@/components/images/images-view'
import { pageContext } from '@/lib/http/page'

export const metadata = { title: 'Images' }

export default async function ImagesPage({ searchParams }: PageProps<'/images'>) {
  const { deps } = await pageContext('images:read')
  const body = imagesSearch(await loadListParams(searchParams))
  const of = await Promise.all([
    prefetch(imagesKey(body), search, { path: '/api/images/search', body }),
    prefetchOne(FACETS_KEY, facets, { path: '/api/images/facets' }),
  ])
  return (
    <Prefetched of={of}>
      <ImagesView maxBytes={deps.settings.MAX_IMAGE_BYTES} />
    </Prefetched>
  )
}
