import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useMemo } from 'react'

const PARAMS = {
  view: parseAsStringLiteral(['grid', 'list']).withDefault('grid'),
  /** `fileId` of the open image. */
  image: parseAsString,
  upload: parseAsBoolean.withDefault(false),
}

export type ImageView = 'grid' | 'list'

/** The form of the list and what is open over it, kept in the page's address. */
export function useImageView() {
  const [params, set] = useQueryStates(PARAMS, { history: 'push', scroll: false })
  return useMemo(
    () => ({
      ...params,
      setView: (view: ImageView) => void set({ view }),
      open: (fileId: string) => void set({ image: fileId, upload: null }),
      showUpload: () => void set({ upload: true, image: null }),
      close: () => void set({ image: null, upload: null }),
    }),
    [params, set],
  )
}
