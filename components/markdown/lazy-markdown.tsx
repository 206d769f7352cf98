import dynamic from 'next/dynamic'
import { Skeleton } from '@/components/ui/state'

/** Loaded when the first text is shown: few pages have one. */
export const LazyMarkdown = dynamic(() => import('./markdown'), {
  ssr: false,
  loading: () => <Skeleton className="h-16" />,
})
