package gate

// table holds what the gate knows about programs, by name. Unlike a map it is made by the
// compiler: a judged call is a process of its own, and filling maps took it longer than
// looking through all rows does.
type table[V any] []struct {
	name  string
	value V
}

// get returns the value of the row with the name.
func (t table[V]) get(name string) (V, bool) {
	for i := range t {
		if t[i].name == name {
			return t[i].value, true
		}
	}
	var none V
	return none, false
}
