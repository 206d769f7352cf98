'use client'
import NextLink, { useLinkStatus } from 'next/link'
import { useRouter } from 'next/navigation'
import { type ComponentProps, useState } from 'react'
import { rememberFetchedAhead } from '@/lib/http/fetched-ahead'
import { useWaiting } from './pending-page'

type Props = Omit<ComponentProps<typeof NextLink>, 'href' | 'prefetch'> & {
  href: string
  /** Its data is fetched ahead, too: the page is there when the link is pressed. */
  isWhole?: boolean
}

/**
 * A link inside the console. Its page is fetched ahead when the pointer or the focus is on it:
 * Next.js would do so for every link in sight, a request for each row of a table.
 */
export function Link({
  href,
  isWhole = false,
  onPointerEnter,
  onFocus,
  children,
  ...props
}: Props) {
  const router = useRouter()
  const [isMeant, setMeant] = useState(false)
  const prefetch = () => {
    if (!isWhole) return router.prefetch(href)
    rememberFetchedAhead(href)
    setMeant(true)
  }
  return (
    <NextLink
      href={href}
      prefetch={isMeant}
      onPointerEnter={(event) => {
        prefetch()
        onPointerEnter?.(event)
      }}
      onFocus={(event) => {
        prefetch()
        onFocus?.(event)
      }}
      {...props}
    >
      {children}
      <Waiting />
    </NextLink>
  )
}

/** Shows in the page's progress that the page of the link is on its way. */
function Waiting() {
  useWaiting(useLinkStatus().pending)
  return null
}
