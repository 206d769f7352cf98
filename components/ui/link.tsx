'use client'
import NextLink, { useLinkStatus } from 'next/link'
import { useRouter } from 'next/navigation'
import type { ComponentProps } from 'react'
import { useWaiting } from './pending-page'

type Props = Omit<ComponentProps<typeof NextLink>, 'href' | 'prefetch'> & { href: string }

/**
 * A link inside the console. Its page is fetched ahead when the pointer or the focus is on it:
 * Next.js would do so for every link in sight, a request for each row of a table.
 */
export function Link({ href, onPointerEnter, onFocus, children, ...props }: Props) {
  const router = useRouter()
  return (
    <NextLink
      href={href}
      prefetch={false}
      onPointerEnter={(event) => {
        router.prefetch(href)
        onPointerEnter?.(event)
      }}
      onFocus={(event) => {
        router.prefetch(href)
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
