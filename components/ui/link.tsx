'use client'
import NextLink from 'next/link'
import { useRouter } from 'next/navigation'
import type { ComponentProps } from 'react'

type Props = Omit<ComponentProps<typeof NextLink>, 'href' | 'prefetch'> & { href: string }

/**
 * A link inside the console. Its page is fetched ahead when the pointer or the focus is on it:
 * Next.js would do so for every link in sight, a request for each row of a table.
 */
export function Link({ href, onPointerEnter, onFocus, ...props }: Props) {
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
    />
  )
}
