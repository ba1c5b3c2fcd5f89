

def __loopwright_run_tests():
    import json
    import sys

    def plain(value, depth=0):
        if value is None or isinstance(value, (bool, int, str)):
            return value
        if isinstance(value, float):
            return value if value == value and abs(value) != float('inf') else repr(value)
        if depth > 50:
            return '<too deep>'
        if isinstance(value, dict):
            return {str(key): plain(item, depth + 1) for key, item in value.items()}
        if isinstance(value, (set, frozenset)):
            return sorted((plain(item, depth + 1) for item in value), key=repr)
        if isinstance(value, (list, tuple, range)) or (depth == 0 and hasattr(value, '__next__')):
            items = []
            for item in value:
                items.append(plain(item, depth + 1))
                if len(items) > 100000:
                    raise OverflowError('the result never ends: over 100000 items')
            return items
        return '<' + type(value).__name__ + '>'

    def line_of(error):
        line, frame = None, error.__traceback__
        while frame is not None:
            if 0 < frame.tb_lineno <= __LINES__ and frame.tb_frame.f_code.co_filename.endswith('main.py'):
                line = frame.tb_lineno
            frame = frame.tb_next
        return line

    for index, args in enumerate(json.loads(__ARGS__)):
        try:
            said = {'value': plain(__ENTRY__(*args))}
        except Exception as error:
            said = {'error': type(error).__name__, 'message': str(error)[:500], 'line': line_of(error)}
        sys.stdout.write('\n' + __MARK__ + ' ' + str(index) + ' ' + json.dumps(said) + '\n')
        sys.stdout.flush()


__loopwright_run_tests()
