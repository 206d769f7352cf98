/** In ms: a notice with a way back stays long enough to read it and to reach its button. */
export const UNDO_NOTICE_MS = 20_000
