/** Chinese when Han characters outnumber Latin words; ids and numbers count for neither. "A001 的状态？" is Chinese, "Where is my 保温杯 order?" English. */
export function languageOf(text: string): 'zh' | 'en' {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = text.match(/(?<![\p{L}\p{N}])[A-Za-z]{2,}(?![\p{N}])/gu)?.length ?? 0;
  return han > words ? 'zh' : 'en';
}
