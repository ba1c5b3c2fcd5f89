/** Chinese when Han characters outnumber Latin words. */
export function languageOf(text: string): 'zh' | 'en' {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = text.match(/[A-Za-z]{2,}/g)?.length ?? 0;
  return han > words ? 'zh' : 'en';
}
