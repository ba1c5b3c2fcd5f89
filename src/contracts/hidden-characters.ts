/**
 * Characters that make a text read as something else: control characters (they move a cursor, hide text, set titles), bidirectional
 * controls and characters that show nothing. Those that writing needs stay: a joiner or one variation selector inside an emoji, and
 * joiners between letters of scripts that join (Persian, Hindi).
 */
export const HIDDEN_CHARACTERS =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufff9-\ufffb]|(?![\u200c\u200d]|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Sinh}\p{scx=Mlym}])\u200d|(?<![\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Sinh}\p{scx=Mlym}])\u200c/gu;

/** `U+202E` */
export function codePointName(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Every hidden character as `⟨U+202E⟩`. */
export function withHiddenNamed(text: string): string {
  return text.replace(HIDDEN_CHARACTERS, (found) => `⟨${codePointName(found)}⟩`);
}
